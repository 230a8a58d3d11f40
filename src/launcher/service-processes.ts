import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import type { Role } from '../config/environment.js';
import { freePort } from './free-port.js';
import { runProgram, spawnProgram } from './programs.js';
import { supervise, type Supervised } from './supervisor.js';
import { RANK, type Watchdog } from './watchdog-client.js';

const READY_TIMEOUT_MS = 60_000;
/** Requests and batches in flight may finish within this. */
const DRAIN_MS = 20_000;

const listeningShape = z.object({ listening: z.string() });
const workspaceShape = z.object({ workspace_id: z.string(), api_key: z.string() });

/** What supervised children of the launcher share. */
export interface ProcessContext {
  watchdog: Watchdog;
  log: (line: string) => void;
  /** A process ended too often to be restarted. */
  onLost: (error: Error) => void;
}

/** A supervised child and the address at which it listens. */
export interface ListeningProcess {
  url: string;
  supervised: Supervised;
}

/** Starts the synthetic platform on a free loopback port, which it keeps when it is restarted. */
export async function startSandboxProcess(
  context: ProcessContext,
  env: NodeJS.ProcessEnv,
): Promise<ListeningProcess> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const supervised = await supervise({
    name: 'The synthetic platform',
    rank: RANK.process,
    endingSteps: [{ signal: 'SIGTERM', waitMs: 2_000 }],
    watchdog: context.watchdog,
    log: context.log,
    onGaveUp: context.onLost,
    spawn: () => {
      child = spawnProgram('sandbox', {
        args: ['--port', String(port), '--posts-per-minute', '2'],
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return Promise.resolve(child);
    },
    ready: async (ended) => {
      await once(child!.stdout!, 'data', { signal: AbortSignal.any([ended, timeout()]) });
      // A pipe that is not read fills and blocks the process.
      child!.stdout!.resume();
    },
  });
  return { url: `http://127.0.0.1:${port}`, supervised };
}

/**
 * Starts one process of the service with these roles. Port 0 is replaced by a free one here, so that the process keeps
 * its address when it is restarted.
 */
export async function startServiceProcess(
  context: ProcessContext,
  roles: readonly Role[],
  port: number,
  variables: NodeJS.ProcessEnv,
): Promise<ListeningProcess> {
  const env = {
    ...variables,
    ROLES: roles.join(','),
    PORT: String(port === 0 ? await freePort() : port),
  };
  let child: ChildProcess | undefined;
  let url = '';
  const supervised = await supervise({
    name: `The service (${roles.join(', ')})`,
    rank: RANK.process,
    endingSteps: [{ signal: 'SIGTERM', waitMs: DRAIN_MS }],
    watchdog: context.watchdog,
    log: context.log,
    onGaveUp: context.onLost,
    spawn: () => {
      child = spawnProgram('service', { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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

/** Creates the workspace `default` through the command line and returns its id and admin key. */
export async function createFirstWorkspace(
  env: NodeJS.ProcessEnv,
): Promise<{ workspaceId: string; apiKey: string }> {
  const printed = await runProgram('workspace', ['create', '--name', 'default', '--json'], env);
  const created = workspaceShape.parse(JSON.parse(printed));
  return { workspaceId: created.workspace_id, apiKey: created.api_key };
}

function timeout(): AbortSignal {
  return AbortSignal.timeout(READY_TIMEOUT_MS);
}
