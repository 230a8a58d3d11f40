import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { ConfigurationError, type Environment } from '../config/environment.js';
import { ServerUnreachable } from '../config/start-failure.js';

const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_MS = 250;

/** Milliseconds after which a wait is reported, and after which it fails. */
export interface WaitLimits {
  nameAfterMs: number;
  endAfterMs: number;
}

const LIMITS: WaitLimits = { nameAfterMs: 2_000, endAfterMs: 60_000 };
/** A single attempt, for commands, whose user can start the server first. */
export const AT_ONCE: WaitLimits = { nameAfterMs: Infinity, endAfterMs: 0 };

interface ServerToAwait {
  name: string;
  variable: string;
  url: string;
  /** Connects once and disconnects. */
  connect: (url: string) => Promise<void>;
  /** Patterns of errors that waiting cannot fix, each with the cause or the remedy. */
  refusals: readonly [RegExp, string][];
}

/**
 * Resolves when the given Postgres and Redis accept connections. After two seconds it passes a sentence about each
 * server that is still unavailable to `say`. Throws {@link ConfigurationError} when a server rejects the credentials or
 * the database, and {@link ServerUnreachable} after a minute.
 */
export async function awaitServers(
  { DATABASE_URL, REDIS_URL }: Partial<Pick<Environment, 'DATABASE_URL' | 'REDIS_URL'>>,
  say: (line: string) => void,
  limits: WaitLimits = LIMITS,
): Promise<void> {
  const servers: ServerToAwait[] = [
    ...(DATABASE_URL === undefined ? [] : [{ ...POSTGRES, url: DATABASE_URL }]),
    ...(REDIS_URL === undefined ? [] : [{ ...REDIS, url: REDIS_URL }]),
  ];
  await Promise.all(servers.map((server) => awaitServer(server, say, limits)));
}

async function awaitServer(
  server: ServerToAwait,
  say: (line: string) => void,
  limits: WaitLimits,
): Promise<void> {
  const began = performance.now();
  let isNamed = false;
  for (;;) {
    try {
      return await server.connect(server.url);
    } catch (error) {
      const cause = reasonOf(error);
      const refusal = server.refusals.find(([pattern]) => pattern.test(cause));
      if (refusal !== undefined) throw new ConfigurationError(`${server.variable}: ${refusal[1]} (${cause})`);
      const waitedMs = performance.now() - began;
      const place = `${server.name} at ${new URL(server.url).host} (${server.variable})`;
      if (!isNamed && waitedMs >= limits.nameAfterMs) {
        isNamed = true;
        say(`Waiting for ${place}: ${cause}`);
      }
      if (waitedMs >= limits.endAfterMs)
        throw new ServerUnreachable(
          `${place} could not be reached${withinTime(limits.endAfterMs)}: ${cause}. Start it, or correct ${server.variable}`,
          { cause: error },
        );
      await sleep(RETRY_MS);
    }
  }
}

const POSTGRES: Omit<ServerToAwait, 'url'> = {
  name: 'Postgres',
  variable: 'DATABASE_URL',
  connect: async (connectionString) => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    // Connection errors after connecting arrive here; without a listener they would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => undefined);
    }
  },
  refusals: [
    [/^28/, 'Postgres refuses the user or the password'],
    [/^3D000/, 'the database does not exist; create it'],
  ],
};

const REDIS: Omit<ServerToAwait, 'url'> = {
  name: 'Redis',
  variable: 'REDIS_URL',
  connect: async (url) => {
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: CONNECT_TIMEOUT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    });
    let failure: unknown;
    redis.on('error', (error) => (failure ??= error));
    try {
      await redis.connect();
      await redis.ping();
    } catch (error) {
      throw failure ?? error;
    } finally {
      redis.disconnect();
    }
  },
  refusals: [[/^(?:WRONGPASS|NOAUTH|ERR AUTH)/, 'Redis refuses the user or the password']],
};

const withinTime = (ms: number): string => (ms === 0 ? '' : ` within ${Math.round(ms / 1_000)} s`);

/** The code of every error of PgBouncer, whatever its cause. */
const ERROR_OF_POOLER = '08P01';

/** The code of an error, or the first line of its message when it has none or its code does not name the cause. */
function reasonOf(error: unknown): string {
  const {
    code,
    message = '',
    errors,
  } = (error ?? {}) as { code?: string; message?: string; errors?: unknown[] };
  if (code !== undefined && code !== 'UNKNOWN' && code !== ERROR_OF_POOLER) return code;
  if (errors?.[0] !== undefined) return reasonOf(errors[0]);
  return message.split('\n', 1)[0]! || 'no answer';
}
