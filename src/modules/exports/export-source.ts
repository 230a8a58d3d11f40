import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { KEEP_ALIVE } from '../../database/connections.js';
import { SILENCE_MARGIN_MS } from '../../database/data-source.js';
import { DatabasePools } from '../../database/database-pools.js';
import type { Sql } from '../../database/sql.js';

/** Rows that are held at once; a small number keeps each turn of the event loop short. */
const BATCH_ROWS = 50;
const FETCH = `FETCH ${BATCH_ROWS} FROM export`;

/**
 * Reads rows through server-side cursors on connections of their own. Each FETCH is a statement with its own timeout,
 * so the time in which a client reads its download counts against none.
 */
@Injectable()
export class ExportSource {
  private readonly pool: pg.Pool;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly pools: DatabasePools,
  ) {
    const statementTimeoutMs = environment.DATABASE_STATEMENT_TIMEOUT_MS;
    this.pool = pools.create('export', {
      ...KEEP_ALIVE,
      max: environment.DATABASE_POOL_EXPORT,
      statement_timeout: statementTimeoutMs,
      query_timeout: statementTimeoutMs + SILENCE_MARGIN_MS,
      // The whole result is read, so the planner must not prefer plans that are fast for the first rows alone.
      options: '-c cursor_tuple_fraction=1',
    });
  }

  /** The rows of a query in batches. The connection is freed at the end, when `return` is called, and when `signal` aborts. */
  async *batches({ text, parameters }: Sql, signal: AbortSignal): AsyncGenerator<object[], void, undefined> {
    const client = await this.pool.connect();
    const cancel = () => void this.pools.cancel(client);
    signal.addEventListener('abort', cancel);
    let isComplete = false;
    try {
      await client.query('BEGIN READ ONLY');
      await client.query(`DECLARE export NO SCROLL CURSOR FOR ${text}`, parameters);
      for (let count = BATCH_ROWS; count === BATCH_ROWS;) {
        signal.throwIfAborted();
        const { rows } = await client.query<object>(FETCH);
        count = rows.length;
        yield rows;
      }
      await client.query('COMMIT');
      isComplete = true;
    } finally {
      signal.removeEventListener('abort', cancel);
      // A connection that was left within a statement or transaction is closed.
      client.release(!isComplete);
    }
  }
}
