import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { KEEP_ALIVE } from '../../database/connections.js';
import { SILENCE_MARGIN_MS } from '../../database/data-source.js';
import { DatabasePools } from '../../database/database-pools.js';
import type { Sql } from '../../database/sql.js';
import type { ExportedRow, ExportedValue } from './exported-table.js';

/** Rows that are read at once; a small number keeps each turn of the event loop short. */
const BATCH_ROWS = 50;

/** Integers of 64 bits are read as numbers, which lose the last digits beyond 2^53; pg reads them as text. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format): unknown =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
};

/**
 * Reads the rows of downloads through server-side cursors on connections of their own. Each FETCH is a statement with its
 * own timeout, so the time in which a client reads its download counts against none.
 */
@Injectable()
export class ExportCursor {
  private readonly pool: pg.Pool;

  constructor(
    private readonly pools: DatabasePools,
    @Inject(ENVIRONMENT) { DATABASE_POOL_EXPORT, DATABASE_STATEMENT_TIMEOUT_MS }: Environment,
  ) {
    this.pool = pools.create('export', {
      ...KEEP_ALIVE,
      max: DATABASE_POOL_EXPORT,
      statement_timeout: DATABASE_STATEMENT_TIMEOUT_MS,
      query_timeout: DATABASE_STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS,
      // The whole result is read, so the planner must not prefer plans that are fast for the first rows alone.
      options: '-c cursor_tuple_fraction=1',
    });
  }

  /** The rows of a query, which selects the table's columns, in batches. `signal` ends them. */
  batches({ text, parameters }: Sql, signal: AbortSignal): AsyncGenerator<ExportedRow[], void, undefined> {
    return this.pools.reading(this.pool, signal, async function* (client) {
      await client.query('BEGIN READ ONLY');
      await client.query(`DECLARE export NO SCROLL CURSOR FOR ${text}`, parameters);
      const fetch = async (): Promise<ExportedRow[]> => {
        const text = `FETCH ${BATCH_ROWS} FROM export`;
        const { rows } = await client.query<ExportedValue[]>({ text, rowMode: 'array', types: TYPES });
        return rows;
      };
      // Postgres reads the next batch while this one is written.
      let next: Promise<ExportedRow[]> | null = fetch();
      while (next !== null) {
        const rows: ExportedRow[] = await next;
        signal.throwIfAborted();
        next = rows.length === BATCH_ROWS ? fetch() : null;
        // Its failure is thrown where it is awaited; nothing awaits it after `return`.
        next?.catch(() => undefined);
        yield rows;
      }
      await client.query('COMMIT');
    });
  }
}
