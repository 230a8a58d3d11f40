import express from 'express';
import pg from 'pg';
import type { Sql } from '../../../src/database/sql.js';

/**
 * For comparison: a process with only Express, `pg` and one statement, whose rows are sent as JSON. Sends its port to the
 * parent.
 */
const { DATABASE_URL, BARE_STATEMENT, BARE_CONNECTIONS } = process.env;
const { text, parameters } = JSON.parse(BARE_STATEMENT!) as Sql;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(BARE_CONNECTIONS) });
const app = express();
app.get('/', async (_request, response) => {
  response.json((await pool.query<object>(text, parameters)).rows);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send!({ port: (server.address() as { port: number }).port });
});
