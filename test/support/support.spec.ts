import { Redis } from 'ioredis';
import { connect, createTestDatabase } from './database.js';
import { createTestRedis } from './redis.js';

async function query(url: string, text: string): Promise<object[]> {
  const client = await connect(url);
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('test databases', () => {
  it('are migrated clones, independent of each other', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    await query(one.url, 'CREATE TABLE mine ()');
    expect(await query(other.url, "SELECT to_regclass('mine') AS found")).toEqual([{ found: null }]);
    expect(await query(other.url, "SELECT to_regclass('migrations') IS NOT NULL AS found")).toEqual([
      { found: true },
    ]);
    await Promise.all([one.drop(), other.drop()]);
    await expect(query(one.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
  });

  it('fold case beyond ASCII and sort by code point', async () => {
    const database = await createTestDatabase();
    expect(
      await query(
        database.url,
        "SELECT lower('ÉCOLE') l, to_tsvector('simple', 'ПРИВЕТ')::text t, 'B' < 'a' o",
      ),
    ).toEqual([{ l: 'école', t: "'привет':1", o: true }]);
    await database.drop();
  });
});

describe('test Redis', () => {
  it('is separate for every caller', async () => {
    const [one, other] = await Promise.all([createTestRedis(), createTestRedis()]);
    const clients = [new Redis(one.url), new Redis(other.url)] as const;
    await clients[0].set('key', 'mine');
    expect(await clients[1].get('key')).toBeNull();
    await one.wipe();
    expect(await clients[0].get('key')).toBeNull();
    for (const client of clients) client.disconnect();
  });
});
