import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { destroyedWhenSilent } from '../../database/connections.js';
import { SILENCE_MARGIN_MS } from '../../database/data-source.js';
import { DatabasePools } from '../../database/database-pools.js';
import { RowSecurity } from '../../database/row-security.js';
import { type Sql, withLiterals } from '../../database/sql.js';
import { CopiedRows } from './copied-rows.js';
import type { ExportedField, ExportedRow } from './exported-table.js';

/** Number of exports that one process writes concurrently; each reads on its own connection. */
export const EXPORT_SLOTS = 2;
/** One more reads the dataset that the process is freezing. */
const CONNECTIONS = EXPORT_SLOTS + 1;
/** Batches of 500 rows would take 50 MB more memory. */
const BATCH_ROWS = 100;
/** One statement reads a whole part; its first rows may require a sort of all rows of the workspace. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Reads the rows of export jobs with COPY in binary format, on separate connections. This takes a quarter of the time
 * of a cursor. A part is one statement with one timeout, so callers must read its rows without long pauses.
 */
@Injectable()
export class ExportCopy {
  private readonly pool: pg.Pool;

  constructor(
    private readonly pools: DatabasePools,
    private readonly rowSecurity: RowSecurity,
  ) {
    this.pool = pools.create('export-jobs', {
      ...destroyedWhenSilent(STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS),
      max: CONNECTIONS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
  }

  /**
   * Yields the rows of a query that selects these fields, in batches of a fixed size. The query sees only rows of the
   * workspace. `signal` aborts it.
   */
  batches(
    workspaceId: string,
    sql: Sql,
    fields: readonly ExportedField[],
    signal: AbortSignal,
  ): AsyncGenerator<ExportedRow[], void, undefined> {
    const { rowSecurity } = this;
    return this.pools.reading(this.pool, signal, async function* (client) {
      await rowSecurity.within(workspaceId, () => client.query('BEGIN READ ONLY'));
      const copied = new CopiedRows(fields);
      let batch: ExportedRow[] = [];
      for await (const bytes of client.query(
        copyTo(`COPY (${withLiterals(sql)}) TO STDOUT (FORMAT binary)`),
      )) {
        for (const row of copied.read(bytes as Buffer)) {
          batch.push(row);
          if (batch.length < BATCH_ROWS) continue;
          signal.throwIfAborted();
          yield batch;
          batch = [];
        }
      }
      copied.requireEnd();
      yield batch;
      await client.query('COMMIT');
    });
  }
}
