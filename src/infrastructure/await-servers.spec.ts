import { createServer, type AddressInfo, type Server } from 'node:net';
import { ConfigurationError } from '../config/environment.js';
import { createTestDatabase } from '../../test/support/database.js';
import { createTestRedis } from '../../test/support/redis.js';
import { awaitServers } from './await-servers.js';

const NAMED_AT_ONCE = { nameAfterMs: 0, endAfterMs: 300 };

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('awaitServers', () => {
  it('reports nothing and resolves when the servers answer', async () => {
    const [database, redis] = [await createTestDatabase(), await createTestRedis()];
    const said: string[] = [];
    await awaitServers({ DATABASE_URL: database.url, REDIS_URL: redis.url }, (line) => said.push(line));
    expect(said).toEqual([]);
    await database.drop();
  });

  it.each([
    ['Postgres', 'DATABASE_URL', 'postgres://u:secret@'],
    ['Redis', 'REDIS_URL', 'redis://:secret@'],
  ])('names %s and %s while it waits, and ends with one sentence', async (name, variable, scheme) => {
    const place = `127.0.0.1:${await freePort()}`;
    const said: string[] = [];
    const failure = await awaitServers(
      { DATABASE_URL: undefined, REDIS_URL: undefined, [variable]: `${scheme}${place}/0` },
      (line) => said.push(line),
      NAMED_AT_ONCE,
    ).catch((error: unknown) => error as Error);
    expect(said).toEqual([`Waiting for ${name} at ${place} (${variable}): ECONNREFUSED`]);
    expect(failure?.message).toMatch(
      new RegExp(
        `^${name} at ${place} \\(${variable}\\) could not be reached within \\d s: ECONNREFUSED\\. Start it, or correct ${variable}$`,
      ),
    );
  });

  /** The message after a single attempt at a server that answers with these bytes. */
  const failureAfter = async (answer: Buffer): Promise<string> => {
    const server: Server = createServer((socket) => socket.once('data', () => socket.end(answer)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const awaited = awaitServers({ DATABASE_URL: `postgres://u@127.0.0.1:${port}/x` }, () => undefined, {
      nameAfterMs: 0,
      endAfterMs: 0,
    });
    const failure = await awaited.catch((error: unknown) => error as Error);
    server.close();
    return failure?.message ?? '';
  };

  it('reports a server that answers without a reason', async () => {
    // A Postgres error without any of the fields that contain a reason.
    expect(await failureAfter(Buffer.from([...Buffer.from('E'), 0, 0, 0, 5, 0]))).toContain(
      'could not be reached: no answer. Start it',
    );
  });

  it('names the cause that PgBouncer gives', async () => {
    // As it answers wrong passwords and unknown settings, but also while Postgres restarts.
    const fields = Buffer.from('SFATAL\0C08P01\0MSASL authentication failed\0\0');
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + length.length);
    expect(await failureAfter(Buffer.concat([Buffer.from('E'), length, fields]))).toContain(
      'could not be reached: SASL authentication failed. Start it, or correct DATABASE_URL',
    );
  });

  it('rejects a database that does not exist at once', async () => {
    const database = await createTestDatabase();
    const url = new URL(database.url);
    url.pathname = '/no_such_database';
    const failure = await awaitServers(
      { DATABASE_URL: url.href, REDIS_URL: undefined },
      () => undefined,
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigurationError);
    expect((failure as Error).message).toBe('DATABASE_URL: the database does not exist; create it (3D000)');
    await database.drop();
  });

  it('rejects wrong passwords at once', async () => {
    const [database, redis] = [await createTestDatabase(), await createTestRedis()];
    for (const [variable, address, server] of [
      ['DATABASE_URL', database.url, 'Postgres'],
      ['REDIS_URL', redis.url, 'Redis'],
    ] as const) {
      const url = new URL(address);
      url.password = 'wrong';
      const failure = await awaitServers({ [variable]: url.href }, () => undefined).catch(
        (error: unknown) => error,
      );
      expect(failure).toBeInstanceOf(ConfigurationError);
      expect((failure as Error).message).toContain(
        `${variable}: ${server} refuses the user or the password (`,
      );
    }
    await database.drop();
  });
});
