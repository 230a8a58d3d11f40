import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';
import { SYNTHETIC_ID_MARK, SYNTHETIC_SITE } from '../config/platforms/reddit-variables.js';
import type { Role } from '../config/roles.js';
import { MEMORY_VARIABLES, NODE_OPTIONS, spawnProgram } from './programs.js';
import {
  listeningAnswer,
  signInAnswer,
  workspaceAnswer,
  type CreatedWorkspace,
  type ServiceOrder,
} from './service-orders.js';
import { supervise, type Supervised } from './supervisor.js';
import { RANK, type Watchdog } from './watchdog-client.js';

const SANDBOX_POSTS_PER_MINUTE = '2';
const READY_TIMEOUT_MS = 60_000;
/** Time in which requests and batches in flight can finish. */
const DRAIN_MS = 20_000;

/** The variables to send, without those that have no value. */
const serviceVariables = z
  .record(z.string(), z.string().optional())
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  );

/** Shared by the launcher's supervised children. */
export interface ProcessContext {
  watchdog: Watchdog;
  log: (line: string) => void;
  /** File descriptor for the logs of the service's processes; by default they go to standard output. */
  logsTo?: number;
  /** Called when a process ended too often to be restarted. */
  onLost: (error: Error) => void;
}

/** A supervised child and the address at which it listens. */
export interface ListeningProcess {
  url: string;
  supervised: Supervised;
}

/**
 * Starts the synthetic platform on any free loopback port, which it keeps across restarts. Its ids and addresses tell its
 * content from Reddit's.
 */
export async function startSandboxProcess(
  context: ProcessContext,
  env: NodeJS.ProcessEnv,
): Promise<ListeningProcess> {
  let child: ChildProcess | undefined;
  let url = '';
  const supervised = await supervise({
    name: 'The synthetic platform',
    rank: RANK.process,
    endingSteps: [{ signal: 'SIGTERM', waitMs: 2_000 }],
    watchdog: context.watchdog,
    log: context.log,
    onGaveUp: context.onLost,
    spawn: () => {
      child = spawnProgram('sandbox', {
        args: [
          ...['--port', portOf(url), '--posts-per-minute', SANDBOX_POSTS_PER_MINUTE],
          ...['--id-mark', SYNTHETIC_ID_MARK, '--site', SYNTHETIC_SITE],
        ],
        // Its clock follows the machine's, so that monitors and schedules find new posts.
        env: { ...env, SANDBOX_CLOCK: env.SANDBOX_CLOCK || 'real' },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return Promise.resolve(child);
    },
    ready: async (ended) => {
      const printed = once(child!.stdout!, 'data', { signal: AbortSignal.any([ended, timeout()]) });
      const [line] = (await printed) as [Buffer];
      url = listeningAnswer.parse(JSON.parse(line.toString())).listening;
      // An unread pipe fills up and blocks the process.
      child!.stdout!.resume();
    },
  });
  return { url, supervised };
}

/** A process of the service, which can also create workspaces and sign-in links. */
export interface ServiceProcess extends ListeningProcess {
  createWorkspace(name: string): Promise<CreatedWorkspace>;
  /** The path of a link that signs in to the oldest workspace once; null when no key of it allows that. */
  createSignInLink(): Promise<string | null>;
}

/**
 * Starts one process of the service with these roles. It loads its code while `variables` are still awaited. With port
 * 0 it listens on any free port, and uses the same one after a restart.
 */
export async function startServiceProcess(
  context: ProcessContext,
  roles: readonly Role[],
  port: number,
  given: NodeJS.ProcessEnv,
  variables: Promise<NodeJS.ProcessEnv>,
): Promise<ServiceProcess> {
  let child: ChildProcess | undefined;
  let url = '';
  const send = (order: ServiceOrder): void => void child!.send(order, () => undefined);
  const supervised = await supervise({
    name: `The service (${roles.join(', ')})`,
    rank: RANK.process,
    endingSteps: [{ signal: 'SIGTERM', waitMs: DRAIN_MS }],
    watchdog: context.watchdog,
    log: context.log,
    onGaveUp: context.onLost,
    spawn: () => {
      child = spawnProgram('supervised', {
        nodeOptions: NODE_OPTIONS,
        env: { ...MEMORY_VARIABLES, ...given },
        stdio: ['ignore', context.logsTo ?? 'inherit', 'inherit', 'ipc'],
      });
      return Promise.resolve(child);
    },
    ready: async (ended) => {
      const sent = serviceVariables.parse({
        ...(await variables),
        ROLES: roles.join(','),
        PORT: port === 0 ? portOf(url) : String(port),
        // The other processes listen on ports of their own, and only on loopback.
        ...(roles.includes('api') ? {} : { METRICS_PORT: undefined }),
      });
      const signal = AbortSignal.any([ended, timeout()]);
      const answered = once(child!, 'message', { signal });
      send({ do: 'serve', variables: sent });
      const [message] = (await answered) as unknown[];
      url = listeningAnswer.parse(message).listening;
    },
  });
  const answerTo = async (order: ServiceOrder): Promise<unknown> => {
    const answered = once(child!, 'message', { signal: timeout() });
    send(order);
    return ((await answered) as unknown[])[0];
  };
  return {
    url,
    supervised,
    createWorkspace: async (name) =>
      workspaceAnswer.parse(await answerTo({ do: 'create workspace', name })).workspace,
    createSignInLink: async () =>
      signInAnswer.parse(await answerTo({ do: 'create sign-in link' })).signInPath,
  };
}

/** The port at which a process listened before, or any free one for its first start. */
const portOf = (url: string): string => (url === '' ? '0' : new URL(url).port);

function timeout(): AbortSignal {
  return AbortSignal.timeout(READY_TIMEOUT_MS);
}
