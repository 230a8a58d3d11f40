import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ConfigurationError, parseEnvironment, unknownVariables } from '../config/environment.js';
import { CONFIGURATION_EXIT_CODE } from '../config/start-failure.js';
import { withSecretFiles } from '../config/secret-variables.js';
import { isMigrated } from '../database/migration-state.js';
import { awaitServers } from '../infrastructure/await-servers.js';
import { ephemeralVariables, harnessWorkspace, startLine } from './harness.js';
import { checkBeforeStart } from './preflight.js';
import { importProgram, runProgram } from './programs.js';
import type { CreatedWorkspace } from './service-orders.js';
import { isSingleProcess, planService } from './service-plan.js';
import { startService, type RunningService } from './service.js';
import { ProcessEnded } from './supervisor.js';

const STANDARD_ERROR = 2;

/**
 * `npm start [-- --json] [--ephemeral]`: starts the service, prints its addresses, and stops it on SIGINT, SIGTERM or
 * SIGHUP. With `--json` standard output is one line of JSON, printed when every role serves, and logs go to standard
 * error. An invalid configuration ends the process with exit code 78, any other failure to start with 1.
 */
export async function main(): Promise<void> {
  let service: RunningService | undefined;
  let ending: Promise<void> | undefined;
  let temporaryFolder: string | undefined;
  const end = (code: number) => {
    ending ??= (async () => {
      // When the start is interrupted the watchdog ends the processes already started.
      await service?.stop();
      process.exit(code);
    })();
  };
  try {
    const { json, ephemeral } = readArguments();
    const set = ephemeral ? await ephemeralVariables(process.env) : process.env;
    const environment = parseEnvironment(set);
    // The service's processes get the secrets themselves.
    const given = withSecretFiles(set).variables;
    if (ephemeral) temporaryFolder = given.DATA_DIR;
    const plan = planService(environment, given, { isEphemeral: ephemeral });
    await checkBeforeStart(environment, plan);
    await awaitServers(environment, say);
    if (!json && isSingleProcess(plan)) {
      if (!(await isMigrated(environment.DATABASE_URL!))) await runProgram('migrate', given);
      await importProgram('service');
      return;
    }
    // A single process prints its own addresses.
    for (const warning of unknownVariables(given)) say(warning);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
    service = await startService({
      environment,
      given,
      isEphemeral: ephemeral,
      log: say,
      ...(json ? { logsTo: STANDARD_ERROR } : {}),
      onLost: (error) => {
        say(error.message);
        end(1);
      },
    });
    if (json) {
      const workspace = await harnessWorkspace(service, environment.DATA_DIR);
      process.stdout.write(`${JSON.stringify(startLine(service, workspace))}\n`);
    } else {
      const first = service.hasNoWorkspace ? await service.createWorkspace('default') : null;
      // A link in a file of logs would sign in every reader of it.
      const signIn = process.stdout.isTTY ? await service.createSignInLink() : null;
      process.stdout.write(welcome(service, first, signIn));
    }
  } catch (error) {
    if (temporaryFolder !== undefined) await rm(temporaryFolder, { recursive: true, force: true });
    // A process of the service that rejects the configuration has already printed the reason.
    const isExplained = error instanceof ProcessEnded && error.code === CONFIGURATION_EXIT_CODE;
    if (!isExplained) say(error instanceof Error ? error.message : String(error));
    process.exit(isExplained || error instanceof ConfigurationError ? CONFIGURATION_EXIT_CODE : 1);
  }
}

function readArguments(): { json: boolean; ephemeral: boolean } {
  try {
    const { values } = parseArgs({
      options: { json: { type: 'boolean', default: false }, ephemeral: { type: 'boolean', default: false } },
    });
    return values;
  } catch (error) {
    throw new ConfigurationError(`${(error as Error).message}. Usage: npm start [-- --json] [--ephemeral]`);
  }
}

/** The lines that `npm start` prints: addresses and, on the first start, the workspace and its admin key. */
export function welcome(
  { apiUrl, metricsUrls, sandboxUrl }: Pick<RunningService, 'apiUrl' | 'metricsUrls' | 'sandboxUrl'>,
  firstWorkspace: CreatedWorkspace | null,
  signIn: string | null,
): string {
  const lines = [
    apiUrl === null ? 'The service is running.' : `The service listens on ${apiUrl}`,
    ...(apiUrl === null ? [] : [`Dashboard            ${apiUrl}/`, `Swagger UI           ${apiUrl}/docs`]),
    ...(signIn === null ? [] : [`Sign in              ${signIn} (once, within 15 minutes)`]),
    `Metrics              ${metricsUrls.join('  ')}`,
    ...(sandboxUrl === null
      ? []
      : [
          `Reddit               synthetic (${sandboxUrl}) until PLATFORM_CLIENT_ID is set; all other sources are real`,
        ]),
    ...(firstWorkspace === null
      ? []
      : [
          `Workspace            ${firstWorkspace.workspaceId}`,
          `Admin key            ${firstWorkspace.apiKey} (shown only once; lost: npm run workspace -- key ${firstWorkspace.workspaceId})`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
