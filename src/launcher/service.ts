import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import type { Environment } from '../config/environment.js';
import { startEmbeddedServers, type ServerAddresses } from './embedded-servers.js';
import { freePort } from './free-port.js';
import { planService } from './service-plan.js';
import { supervise, type Supervised } from './supervisor.js';
import { RANK, Watchdog } from './watchdog-client.js';

const run = promisify(execFile);
const COMPILED = join(import.meta.dirname, '..');
const READY_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 300_000;
/** Requests and batches in flight may finish within this. */
const DRAIN_MS = 20_000;

const listeningShape = z.object({ listening: z.string() });
const workspaceShape = z.object({ workspace_id: z.string(), api_key: z.string() });

export interface RunningService extends ServerAddresses {
  /** Address of the API; null when this machine does not serve it. */
  apiUrl: string | null;
  /** Address of the synthetic platform; null when a real one is used. */
  sandboxUrl: string | null;
  /** The workspace and admin key that were made because there was none yet; the key is known this once. */
  firstWorkspace: { workspaceId: string; apiKey: string } | null;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  environment: Environment;
  /** Variables that the service's processes get, e.g. `process.env`. */
  given: NodeJS.ProcessEnv;
  log: (line: string) => void;
  /** Something ended too often to be brought back. */
  onLost: (error: Error) => void;
}

/**
 * Starts everything a machine needs that was not given: Postgres, Redis, the synthetic platform, and the service's
 * processes, each brought back when it ends by itself. All of it ends with this process however that ends.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { environment, given } = options;
  const plan = planService(environment, given);
  const watchdog = Watchdog.start();
  const stops: (() => Promise<void>)[] = [() => watchdog.close()];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const servers =
      plan.postgres || plan.redis
        ? await startEmbeddedServers({
            dataDir: environment.DATA_DIR,
            databaseUrl: environment.DATABASE_URL,
            redisUrl: environment.REDIS_URL,
            watchdog,
            log: options.log,
            onLost: options.onLost,
          })
        : null;
    if (servers !== null) stops.push(() => servers.stop());
    const databaseUrl = servers?.databaseUrl ?? environment.DATABASE_URL!;
    const redisUrl = servers?.redisUrl ?? environment.REDIS_URL!;
    let variables: NodeJS.ProcessEnv = { ...given, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };

    let sandboxUrl: string | null = null;
    if (plan.sandbox) {
      const sandbox = await startSandbox(options, watchdog);
      stops.push(() => sandbox.supervised.stop());
      sandboxUrl = sandbox.url;
      variables = { ...variables, ...sandboxVariables(sandboxUrl, given) };
    }

    await command(['cli/migrate.js'], variables);
    const firstWorkspace =
      plan.postgres && (await hasNoWorkspace(databaseUrl)) ? await createWorkspace(variables) : null;

    let apiUrl: string | null = null;
    const processes: Supervised[] = [];
    stops.push(async () => {
      await Promise.all(processes.map((one) => one.stop()));
    });
    for (const roles of plan.processes) {
      const isApi = roles.includes('api');
      // Beside the API another process has no port of its own in the configuration; it takes any for its probes.
      const ownPort = isApi || plan.processes.length === 1 ? environment.PORT : 0;
      // Chosen here, so that it keeps its address when it is brought back.
      const PORT = String(ownPort === 0 ? await freePort() : ownPort);
      const started = await startProcess(
        roles.join(', '),
        { ...variables, ROLES: roles.join(','), PORT },
        options,
        watchdog,
      );
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
 * The synthetic platform's media lie on loopback, which the guard of outgoing requests refuses. Only this one origin is
 * opened, and only for media: `OUTBOUND_ALLOWED_CIDRS` would open loopback to the webhooks that users register.
 */
export function sandboxVariables(url: string, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
    PLATFORM_MEDIA_ORIGINS: url,
    ARCHIVE_BASE_URL: given.ARCHIVE_BASE_URL || `${url}/archive`,
  };
}

async function startSandbox(
  options: ServiceOptions,
  watchdog: Watchdog,
): Promise<{ url: string; supervised: Supervised }> {
  // Chosen here, so that it keeps its address when it is brought back.
  const port = await freePort();
  let child: ChildProcess | undefined;
  const supervised = await supervise({
    name: 'The sandbox platform',
    rank: RANK.process,
    endingSteps: [{ signal: 'SIGTERM', waitMs: 2_000 }],
    watchdog,
    log: options.log,
    onGaveUp: options.onLost,
    spawn: () => {
      child = node(
        ['platforms/sandbox/main.js', '--port', String(port), '--posts-per-minute', '2'],
        options.given,
        ['ignore', 'pipe', 'inherit'],
      );
      return Promise.resolve(child);
    },
    ready: async (ended) => {
      await once(child!.stdout!, 'data', { signal: AbortSignal.any([ended, timeout()]) });
      // Nobody reads on; without this the pipe would fill and stall it.
      child!.stdout!.resume();
    },
  });
  return { url: `http://127.0.0.1:${port}`, supervised };
}

async function startProcess(
  name: string,
  variables: NodeJS.ProcessEnv,
  options: ServiceOptions,
  watchdog: Watchdog,
): Promise<{ url: string; supervised: Supervised }> {
  let child: ChildProcess | undefined;
  let url = '';
  const supervised = await supervise({
    name: `The service (${name})`,
    rank: RANK.process,
    endingSteps: [{ signal: 'SIGTERM', waitMs: DRAIN_MS }],
    watchdog,
    log: options.log,
    onGaveUp: options.onLost,
    spawn: () => {
      child = node(['main.js'], variables, ['ignore', 'inherit', 'inherit', 'ipc']);
      return Promise.resolve(child);
    },
    ready: async (ended) => {
      const [message] = (await once(child!, 'message', {
        signal: AbortSignal.any([ended, timeout()]),
      })) as unknown[];
      url = listeningShape.parse(message).listening;
    },
  });
  return { url, supervised };
}

function timeout(): AbortSignal {
  return AbortSignal.timeout(READY_TIMEOUT_MS);
}

function node(
  args: string[],
  env: NodeJS.ProcessEnv,
  stdio: ('ignore' | 'pipe' | 'inherit' | 'ipc')[],
): ChildProcess {
  const [program, ...rest] = args;
  // A group of its own, so that Ctrl-C reaches this process alone, which then ends things in their order.
  return spawn(process.execPath, [join(COMPILED, program!), ...rest], { env, stdio, detached: true });
}

async function command(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  const [program, ...rest] = args;
  try {
    const { stdout } = await run(process.execPath, [join(COMPILED, program!), ...rest], {
      env,
      timeout: COMMAND_TIMEOUT_MS,
    });
    return stdout;
  } catch (error) {
    throw new Error(`${program} failed: ${(error as { stderr?: string }).stderr?.trim()}`, { cause: error });
  }
}

async function createWorkspace(env: NodeJS.ProcessEnv): Promise<RunningService['firstWorkspace']> {
  const printed = await command(['cli/workspace.js', 'create', '--name', 'default', '--json'], env);
  const created = workspaceShape.parse(JSON.parse(printed));
  return { workspaceId: created.workspace_id, apiKey: created.api_key };
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
