import { Redis } from 'ioredis';

/** Runs a statement and returns its rows. */
type Query = <Row>(sql: string, ...parameters: unknown[]) => Promise<Row[]>;

/** Names of all tables, from the catalogue. */
export async function allTables(query: Query): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"`,
  );
  return tables.map(({ name }) => name);
}

/** Tables without rows. */
export async function emptyTables(query: Query): Promise<string[]> {
  const found = await Promise.all(
    (await allTables(query)).map(async (name) =>
      (await query(`SELECT 1 FROM "${name}" LIMIT 1`)).length === 0 ? [name] : [],
    ),
  );
  return found.flat();
}

/** Tables in which a row has a text, in any case, or its bytes in lower or upper case. */
export async function tablesWith(query: Query, text: string): Promise<string[]> {
  const hexes = [text, text.toUpperCase()].map((form) => Buffer.from(form).toString('hex'));
  const found = await Promise.all(
    (await allTables(query)).map(async (name) => {
      const rows = await query(
        `SELECT 1 FROM "${name}" AS t
         WHERE strpos(lower(to_jsonb(t)::text), $1) > 0 OR strpos(to_jsonb(t)::text, $2) > 0
           OR strpos(to_jsonb(t)::text, $3) > 0 LIMIT 1`,
        text,
        ...hexes,
      );
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat();
}

/** Every key of a logical Redis database with its value. */
export async function redisEntries(url: string): Promise<string[]> {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys('*');
    return await Promise.all(keys.map(async (key) => `${key} ${JSON.stringify(await valueOf(redis, key))}`));
  } finally {
    redis.disconnect();
  }
}

async function valueOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case 'string':
      return redis.get(key);
    case 'hash':
      return redis.hgetall(key);
    case 'list':
      return redis.lrange(key, 0, -1);
    case 'set':
      return redis.smembers(key);
    case 'zset':
      return redis.zrange(key, 0, -1);
    case 'stream':
      return redis.xrange(key, '-', '+');
    default:
      return null;
  }
}
