import { ConfigurationError, parseEnvironment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';
import { importProgram } from './programs.js';
import { isSingleProcess, planService } from './service-plan.js';
import { startService, type RunningService } from './service.js';

/** EX_CONFIG of sysexits.h: service managers do not restart a program that ends with it. */
const CONFIGURATION_EXIT_CODE = 78;

/**
 * `npm start`: starts the service, prints its addresses, and stops it on SIGINT, SIGTERM or SIGHUP. A configuration that
 * cannot work ends the process with exit code 78, any other failure to start with 1.
 */
export async function main(): Promise<void> {
  let service: RunningService | undefined;
  let ending: Promise<void> | undefined;
  const end = (code: number) => {
    ending ??= (async () => {
      // When the start is interrupted the watchdog ends what was started.
      await service?.stop();
      process.exit(code);
    })();
  };
  try {
    const environment = parseEnvironment(process.env);
    if (isSingleProcess(planService(environment, process.env))) {
      await migrate(environment.DATABASE_URL!);
      await importProgram('service');
      return;
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
    service = await startService({
      environment,
      given: process.env,
      log: say,
      onLost: (error) => {
        say(error.message);
        end(1);
      },
    });
    process.stdout.write(welcome(service));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exit(error instanceof ConfigurationError ? CONFIGURATION_EXIT_CODE : 1);
  }
}

/** The lines that `npm start` prints: addresses and, on the first start, the workspace and its admin key. */
export function welcome({ apiUrl, sandboxUrl, firstWorkspace }: RunningService): string {
  const lines = [
    apiUrl === null ? 'The service runs.' : `The service listens on ${apiUrl}`,
    ...(apiUrl === null ? [] : [`Swagger UI           ${apiUrl}/docs`]),
    ...(sandboxUrl === null
      ? []
      : [`Source platform      ${sandboxUrl} (synthetic; set PLATFORM_CLIENT_ID to use the real one)`]),
    ...(firstWorkspace === null
      ? []
      : [
          `Workspace            ${firstWorkspace.workspaceId}`,
          `Admin key            ${firstWorkspace.apiKey} (shown this once)`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
