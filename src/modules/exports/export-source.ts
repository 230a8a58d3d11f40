import pg from 'pg';
import { KEEP_ALIVE } from '../../database/connections.js';
import { SILENCE_MARGIN_MS } from '../../database/data-source.js';
import { DatabasePools } from '../../database/database-pools.js';
import type { Sql } from '../../database/sql.js';

/** How rows are read. */
export interface ExportSourceOptions {
  /** Of the pool. */
  name: string;
  connections: number;
  /** Rows that are read at once; a small number keeps each turn of the event loop short. */
  batchRows: number;
  statementTimeoutMs: number;
}

/**
 * Reads rows through server-side cursors on connections of their own. Each FETCH is a statement with its own timeout,
 * so the time in which a client reads its download counts against none.
 */
export class ExportSource {
  private readonly pool: pg.Pool;

  constructor(
    private readonly pools: DatabasePools,
    private readonly options: ExportSourceOptions,
  ) {
    this.pool = pools.create(options.name, {
      ...KEEP_ALIVE,
      max: options.connections,
      statement_timeout: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs + SILENCE_MARGIN_MS,
      // The whole result is read, so the planner must not prefer plans that are fast for the first rows alone.
      options: '-c cursor_tuple_fraction=1',
    });
  }

  /** The rows of a query in batches. The connection is freed at the end, when `return` is called, and when `signal` aborts. */
  async *batches({ text, parameters }: Sql, signal: AbortSignal): AsyncGenerator<object[], void, undefined> {
    const { batchRows } = this.options;
    const client = await this.pool.connect();
    const cancel = () => void this.pools.cancel(client);
    signal.addEventListener('abort', cancel);
    let isComplete = false;
    try {
      await client.query('BEGIN READ ONLY');
      await client.query(`DECLARE export NO SCROLL CURSOR FOR ${text}`, parameters);
      const fetch = async (): Promise<object[]> => {
        const { rows } = await client.query<object>(`FETCH ${batchRows} FROM export`);
        return rows;
      };
      // Postgres reads the next batch while this one is written.
      let next: Promise<object[]> | null = fetch();
      while (next !== null) {
        const rows: object[] = await next;
        signal.throwIfAborted();
        next = rows.length === batchRows ? fetch() : null;
        // Its failure is thrown where it is awaited; nothing awaits it after `return`.
        next?.catch(() => undefined);
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
