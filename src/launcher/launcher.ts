import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError, parseEnvironment } from '../config/environment.js';
import { migrate } from '../database/migrate.js';
import { isSingleProcess, planService } from './service-plan.js';
import { startService, type RunningService } from './service.js';

const CONFIGURATION_EXIT_CODE = 78;

/** `npm start`: brings the service up, says where it is, and ends it in order when asked to. */
export async function main(): Promise<void> {
  let service: RunningService | undefined;
  let ending: Promise<void> | undefined;
  const end = (code: number) => {
    ending ??= (async () => {
      // A start that is interrupted leaves its clearing up to the watchdog.
      await service?.stop();
      process.exit(code);
    })();
  };
  try {
    const environment = parseEnvironment(process.env);
    if (isSingleProcess(planService(environment, process.env))) {
      await migrate(environment.DATABASE_URL!);
      await import(pathToFileURL(join(import.meta.dirname, '../main.js')).href);
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

/** What a person needs to know first. */
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
