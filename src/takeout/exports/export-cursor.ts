import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { KEEP_ALIVE } from '../../database/connections.js';
import { SILENCE_MARGIN_MS } from '../../database/data-source.js';
import { DatabasePools } from '../../database/database-pools.js';
import { RowSecurity } from '../../database/row-security.js';
import type { Sql } from '../../database/sql.js';
import type { ExportedRow, ExportedValue } from './exported-table.js';

/** Rows fetched at a time; a small number avoids blocking the event loop for long. */
const BATCH_ROWS = 50;

/** 64-bit integers are parsed as numbers, which lose precision beyond 2^53; by default pg returns them as text. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (type, format): unknown =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format),
};

/**
 * Reads the rows of downloads through server-side cursors on separate connections. Each FETCH is a statement with its
 * own timeout, so a client that reads slowly causes no timeout.
 */
@Injectable()
export class ExportCursor {
  private readonly pool: pg.Pool;

  constructor(
    private readonly pools: DatabasePools,
    private readonly rowSecurity: RowSecurity,
    @Inject(ENVIRONMENT) { DATABASE_POOL_EXPORT, DATABASE_STATEMENT_TIMEOUT_MS }: Environment,
  ) {
    this.pool = pools.create('export', {
      ...KEEP_ALIVE,
      max: DATABASE_POOL_EXPORT,
      statement_timeout: DATABASE_STATEMENT_TIMEOUT_MS,
      query_timeout: DATABASE_STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS,
      // The whole result is read, so the planner must not favour plans that are fast only for the first rows.
      options: '-c cursor_tuple_fraction=1',
    });
  }

  /**
   * Yields the rows of a query that selects the table's columns, in batches. The query sees only rows of the workspace.
   * `signal` aborts it.
   */
  batches(
    workspaceId: string,
    { text, parameters }: Sql,
    signal: AbortSignal,
  ): AsyncGenerator<ExportedRow[], void, undefined> {
    const { rowSecurity } = this;
    return this.pools.reading(this.pool, signal, async function* (client) {
      await rowSecurity.within(workspaceId, () => client.query('BEGIN READ ONLY'));
      await client.query(`DECLARE export NO SCROLL CURSOR FOR ${text}`, parameters);
      const fetch = async (): Promise<ExportedRow[]> => {
        const text = `FETCH ${BATCH_ROWS} FROM export`;
        const { rows } = await client.query<ExportedValue[]>({ text, rowMode: 'array', types: TYPES });
        return rows;
      };
      // Postgres reads the next batch while this one is being written.
      let next: Promise<ExportedRow[]> | null = fetch();
      while (next !== null) {
        const rows: ExportedRow[] = await next;
        signal.throwIfAborted();
        next = rows.length === BATCH_ROWS ? fetch() : null;
        // A failure is thrown where the batch is awaited; after `return` nothing awaits it.
        next?.catch(() => undefined);
        yield rows;
      }
      await client.query('COMMIT');
    });
  }
}
