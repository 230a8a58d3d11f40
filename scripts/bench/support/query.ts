import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const AWAY_AT_MOST_MS = 60_000;

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
