import pg from 'pg';
import type { Environment } from '../config/environment.js';
import type { Role } from '../config/roles.js';
import { isMigrated } from '../database/migration-state.js';
import { adminToken } from './admin-token.js';
import { startEmbeddedServers, type EmbeddedServers, type ServerAddresses } from './embedded-servers.js';
import { runProgram } from './programs.js';
import type { CreatedWorkspace } from './service-orders.js';
import { planService, type ServicePlan } from './service-plan.js';
import {
  startSandboxProcess,
  startServiceProcess,
  type ListeningProcess,
  type ProcessContext,
} from './service-processes.js';
import { Watchdog } from './watchdog-client.js';

/** The largest allowed request budget per minute, in effect no limit. */
const UNTHROTTLED = '1000000';
/** Parts that have not started after this time are reported. */
const NAMED_AFTER_MS = 2_000;

/** A started one-machine service: its addresses, and how to stop it. */
export interface RunningService extends ServerAddresses {
  /** Address of the API; null when this machine does not serve it. */
  apiUrl: string | null;
  /** Where each process of the service serves its metrics. */
  metricsUrls: string[];
  /** Address of the synthetic platform; null when a real one is used. */
  sandboxUrl: string | null;
  /** The token of the admin API; null when there is none. */
  adminToken: string | null;
  /** Whether the database was started here and has no workspace yet. */
  hasNoWorkspace: boolean;
  /** Creates a workspace and its first key, which is not stored and cannot be shown again. */
  createWorkspace(name: string): Promise<CreatedWorkspace>;
  /** A link that signs in to the oldest workspace once, within 15 minutes; null when there is none to sign in to. */
  createSignInLink(): Promise<string | null>;
  stop(): Promise<void>;
}

/** Options of {@link startService}. */
export interface ServiceOptions extends Pick<ProcessContext, 'log' | 'logsTo' | 'onLost'> {
  environment: Environment;
  /** Variables for the service's processes, e.g. `process.env`. */
  given: NodeJS.ProcessEnv;
  /** `DATA_DIR` is temporary: it is removed at the end, and its data does not survive a crash of the machine. */
  isEphemeral?: boolean;
}

/**
 * Starts every part that was not given: Postgres, Redis, the synthetic platform, and the service's processes, each
 * restarted when it ends unexpectedly. Resolves when all of them serve. All of them end with this process, even when it
 * is killed.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { environment, given, isEphemeral = false } = options;
  const plan = planService(environment, given, { isEphemeral });
  const watchdog = Watchdog.start();
  const context: ProcessContext = { ...options, watchdog };
  if (isEphemeral) watchdog.removeAtEnd(environment.DATA_DIR);

  // All parts start at once; the service's processes load their code until the variables are complete.
  const servers = startServers(context, plan, environment, isEphemeral);
  const sandbox = plan.sandbox ? startSandboxProcess(context, given) : Promise.resolve(null);
  const variables = prepareVariables(servers, sandbox, plan, environment, given);
  const processes = plan.processes.map((roles) =>
    startServiceProcess(context, roles, portOf(roles, plan, environment), given, variables),
  );
  const stop = async (): Promise<void> => {
    // Processes that use a server end before the server. A part that failed to start has already ended.
    const nothing = (): void => undefined;
    await Promise.all(processes.map((one) => one.then(({ supervised }) => supervised.stop(), nothing)));
    await sandbox.then((one) => one?.supervised.stop(), nothing);
    await servers.then((one) => one.stop(), nothing);
    await watchdog.close();
  };
  const stopNaming = nameSlowParts(
    new Map<string, Promise<unknown>>([
      ['Postgres and Redis', servers],
      ['the synthetic platform', sandbox],
      ['the database schema', variables],
      ...processes.map((one, n) => [`the service (${plan.processes[n]!.join(', ')})`, one] as const),
    ]),
    context.log,
  );
  const parts = await Promise.allSettled([servers, sandbox, variables, ...processes]).finally(stopNaming);
  const failed = parts.find((part) => part.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason as Error;
  }
  const { databaseUrl, redisUrl } = await servers;
  const running = await Promise.all(processes);
  const apiUrl = running[plan.processes.findIndex((roles) => roles.includes('api'))]?.url ?? null;
  let stopped: Promise<void> | undefined;
  return {
    databaseUrl,
    redisUrl,
    apiUrl,
    metricsUrls: running.map(({ url }) => `${url}/metrics`),
    sandboxUrl: (await sandbox)?.url ?? null,
    adminToken: (await variables).ADMIN_TOKEN ?? null,
    hasNoWorkspace: plan.postgres && (await hasNoWorkspace(databaseUrl)),
    createWorkspace: (name) => running[0]!.createWorkspace(name),
    createSignInLink: async () => {
      const path = apiUrl === null ? null : await running[0]!.createSignInLink();
      return path === null ? null : apiUrl + path;
    },
    stop: () => (stopped ??= stop()),
  };
}

/**
 * Passes the names of the parts that have not started after two seconds to `say`, unless the returned function is
 * called first.
 */
export function nameSlowParts(
  parts: ReadonlyMap<string, Promise<unknown>>,
  say: (line: string) => void,
): () => void {
  const pending = new Set(parts.keys());
  for (const [name, part] of parts)
    part.then(
      () => pending.delete(name),
      () => pending.delete(name),
    );
  const timer = setTimeout(() => say(`Waiting for ${[...pending].join(', ')} to start`), NAMED_AFTER_MS);
  return () => clearTimeout(timer);
}

async function startServers(
  context: ProcessContext,
  plan: ServicePlan,
  { DATABASE_URL, REDIS_URL, DATA_DIR }: Environment,
  isEphemeral: boolean,
): Promise<EmbeddedServers> {
  if (!plan.postgres && !plan.redis)
    return { databaseUrl: DATABASE_URL!, redisUrl: REDIS_URL!, stop: () => Promise.resolve() };
  return startEmbeddedServers({
    ...context,
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL,
    redisUrl: REDIS_URL,
    ...(isEphemeral ? { durability: 'none', fromTemplate: true } : {}),
  });
}

/**
 * The variables of the service's processes. Resolves when the servers that they name accept connections and the schema
 * is up to date.
 */
async function prepareVariables(
  servers: Promise<EmbeddedServers>,
  sandbox: Promise<ListeningProcess | null>,
  plan: ServicePlan,
  environment: Environment,
  given: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  const [{ databaseUrl, databaseRequestUrl, redisUrl }, platform] = await Promise.all([servers, sandbox]);
  if (!(await isMigrated(databaseUrl))) await runProgram('migrate', { ...given, DATABASE_URL: databaseUrl });
  return {
    ...given,
    DATABASE_URL: databaseUrl,
    ...(databaseRequestUrl !== undefined && { DATABASE_REQUEST_URL: databaseRequestUrl }),
    REDIS_URL: redisUrl,
    // Otherwise the operator decides whether there is an admin API.
    ...(plan.postgres ? { ADMIN_TOKEN: await adminToken(environment.DATA_DIR, given) } : {}),
    ...(platform === null ? {} : sandboxVariables(platform.url, given)),
  };
}

/** PORT is the API's; every other process serves its probes on any free port. */
function portOf(roles: readonly Role[], plan: ServicePlan, environment: Environment): number {
  return roles.includes('api') || plan.processes.length === 1 ? environment.PORT : 0;
}

/**
 * Variables that direct scrapes to the synthetic platform at `url`, without a request budget unless one is given. The
 * platform serves its media on loopback, which the guard of outbound requests refuses. Only this origin is allowed, and
 * only for media: `OUTBOUND_ALLOWED_CIDRS` would open loopback to the webhooks that users register.
 */
export function sandboxVariables(url: string, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    PLATFORM_BASE_URL: url,
    PLATFORM_AUTH_URL: url,
    PLATFORM_MEDIA_ORIGINS: url,
    PLATFORM_IS_SYNTHETIC: 'true',
    PLATFORM_REQUESTS_PER_MINUTE:
      given.PLATFORM_REQUESTS_PER_MINUTE || given.SANDBOX_REQUESTS_PER_MINUTE || UNTHROTTLED,
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
