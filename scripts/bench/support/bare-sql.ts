import pg from 'pg';
import type { Sql } from '../../../src/database/sql.js';

/** For comparison: how often a second this many connections run a statement through `pg`, with nothing else at work. */
export async function bareSqlRate(
  databaseUrl: string,
  { text, parameters }: Sql,
  connections: number,
  seconds: number,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: connections });
  const until = performance.now() + seconds * 1_000;
  let done = 0;
  try {
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < until) {
          await pool.query(text, parameters);
          done += 1;
        }
      }),
    );
  } finally {
    await pool.end();
  }
  return done / seconds;
}
