import express from 'express';
import pg from 'pg';
import type { Sql } from '../../../src/database/sql.js';

/** Where a {@link BareRoute} is served and what it does. */
export interface BareRoute {
  path: string;
  /** Executed with every request; its rows are sent as JSON. */
  sql: Sql;
}

/** A process with nothing but Express, `pg` and these routes, for comparison: its address is sent to the parent. */
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
