import pg from 'pg';
import type { Environment } from '../config/environment.js';
import { startEmbeddedServers, type ServerAddresses } from './embedded-servers.js';
import { runProgram } from './programs.js';
import { planService } from './service-plan.js';
import {
  createFirstWorkspace,
  startSandboxProcess,
  startServiceProcess,
  type ProcessContext,
} from './service-processes.js';
import type { Supervised } from './supervisor.js';
import { Watchdog } from './watchdog-client.js';

/** A started one-machine service: its addresses, and how to stop it. */
export interface RunningService extends ServerAddresses {
  /** Address of the API; null when this machine does not serve it. */
  apiUrl: string | null;
  /** Address of the synthetic platform; null when a real one is used. */
  sandboxUrl: string | null;
  /** The workspace and admin key created because there was none yet; the key is not stored and cannot be shown again. */
  firstWorkspace: { workspaceId: string; apiKey: string } | null;
  stop(): Promise<void>;
}

/** What {@link startService} needs. */
export interface ServiceOptions extends Pick<ProcessContext, 'log' | 'onLost'> {
  environment: Environment;
  /** Variables that the service's processes get, e.g. `process.env`. */
  given: NodeJS.ProcessEnv;
}

/**
 * Starts everything a machine needs that was not given: Postgres, Redis, the synthetic platform, and the service's
 * processes, each restarted when it ends by itself. All of it ends with this process, also when this process is killed.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { environment, given } = options;
  const plan = planService(environment, given);
  const watchdog = Watchdog.start();
  const context: ProcessContext = { watchdog, log: options.log, onLost: options.onLost };
  const stops: (() => Promise<void>)[] = [() => watchdog.close()];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const servers =
      plan.postgres || plan.redis
        ? await startEmbeddedServers({
            ...context,
            dataDir: environment.DATA_DIR,
            databaseUrl: environment.DATABASE_URL,
            redisUrl: environment.REDIS_URL,
          })
        : null;
    if (servers !== null) stops.push(() => servers.stop());
    const databaseUrl = servers?.databaseUrl ?? environment.DATABASE_URL!;
    const redisUrl = servers?.redisUrl ?? environment.REDIS_URL!;
    let variables: NodeJS.ProcessEnv = { ...given, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };

    let sandboxUrl: string | null = null;
    if (plan.sandbox) {
      const sandbox = await startSandboxProcess(context, given);
      stops.push(() => sandbox.supervised.stop());
      sandboxUrl = sandbox.url;
      variables = { ...variables, ...sandboxVariables(sandboxUrl, given) };
    }

    await runProgram('migrate', [], variables);
    const firstWorkspace =
      plan.postgres && (await hasNoWorkspace(databaseUrl)) ? await createFirstWorkspace(variables) : null;

    let apiUrl: string | null = null;
    const processes: Supervised[] = [];
    stops.push(async () => {
      await Promise.all(processes.map((one) => one.stop()));
    });
    for (const roles of plan.processes) {
      const isApi = roles.includes('api');
      // PORT is the API's; a process beside it serves its probes on any free port.
      const port = isApi || plan.processes.length === 1 ? environment.PORT : 0;
      const started = await startServiceProcess(context, roles, port, variables);
      processes.push(started.supervised);
      if (isApi) apiUrl = started.url;
    }
    return { databaseUrl, redisUrl, apiUrl, sandboxUrl, firstWorkspace, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Variables that point scrapes to the synthetic platform at `url`. Its media lie on loopback, which the guard of outgoing
 * requests refuses: this one origin is opened for media only, because `OUTBOUND_ALLOWED_CIDRS` would open loopback to the
 * webhooks that users register.
 */
export function sandboxVariables(url: string, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
    PLATFORM_MEDIA_ORIGINS: url,
    ARCHIVE_BASE_URL: given.ARCHIVE_BASE_URL || `${url}/archive`,
  };
}

async function hasNoWorkspace(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query('SELECT 1 FROM workspaces LIMIT 1')).rowCount === 0;
  } finally {
    await client.end();
  }
}
