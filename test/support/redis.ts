import { Redis } from 'ioredis';
import { TEST_REDIS_URL } from './servers.js';

export interface TestRedis {
  /** Ends with the number of a logical database that only the caller uses. */
  url: string;
  /** Deletes all its keys, as an operator's FLUSHDB would. */
  wipe(): Promise<void>;
}

/** Reserves a logical Redis database for one test file. Call it in `beforeAll`. */
export async function createTestRedis(): Promise<TestRedis> {
  const server = process.env[TEST_REDIS_URL];
  if (server === undefined)
    throw new Error(`${TEST_REDIS_URL} is unset: run tests through "npm test", which starts the servers`);
  // Database 0 contains only the counter.
  const number = await onRedis(server, (client) => client.incr('test-databases'));
  const url = `${server}/${number}`;
  return {
    url,
    wipe: () => flushRedis(url),
  };
}

/** Deletes all keys of the logical database at this address. */
export async function flushRedis(url: string): Promise<void> {
  await onRedis(url, (client) => client.flushdb());
}

async function onRedis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    client.disconnect();
  }
}
