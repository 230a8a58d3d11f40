import express from 'express';
import pg from 'pg';
import type { Sql } from '../../../src/database/sql.js';

/** The path of a {@link BareRoute} and the statement behind it. */
export interface BareRoute {
  path: string;
  /** Executed for every request; its rows are sent as JSON. */
  sql: Sql;
}

/** For comparison: a process with only Express, `pg` and these routes. Sends its address to the parent. */
const { DATABASE_URL, BARE_ROUTES, BARE_CONNECTIONS } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(BARE_CONNECTIONS) });
const app = express();
for (const { path, sql } of JSON.parse(BARE_ROUTES!) as BareRoute[])
  app.get(path, async (_request, response) => {
    response.json((await pool.query<object>(sql.text, sql.parameters)).rows);
  });
const server = app.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as { port: number }).port });
});
