import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const AWAY_AT_MOST_MS = 60_000;

/** The number of a workspace's rows and a digest of them without the `volatile` columns. */
export async function rowsOf(
  databaseUrl: string,
  workspaceId: string,
  table: 'posts' | 'comments' | 'media_files',
  volatile: readonly string[],
): Promise<{ count: number; digest: string }> {
  const [found] = await query<{ count: number; digest: string }>(
    databaseUrl,
    `SELECT count(*)::int AS count, coalesce(md5(string_agg(line, E'\\n' ORDER BY line COLLATE "C")), '') AS digest
     FROM (SELECT (to_jsonb(${table}) - $2::text[])::text AS line
       FROM ${table} WHERE workspace_id = $1) AS lines`,
    [workspaceId, ['workspace_id', ...volatile]],
  );
  return found!;
}

/**
 * Rows of one statement on a separate connection. Retries for a minute while Postgres is unavailable, so the statement
 * must be safe to repeat.
 */
export async function query<T extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  for (const deadline = Date.now() + AWAY_AT_MOST_MS; ; await sleep(200)) {
    try {
      return await queryOnce<T>(databaseUrl, text, values);
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

async function queryOnce<T extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
  values: unknown[],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end();
  }
}
