import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { destroyedWhenSilent } from '../../database/connections.js';
import { SILENCE_MARGIN_MS } from '../../database/data-source.js';
import { DatabasePools } from '../../database/database-pools.js';
import { type Sql, withLiterals } from '../../database/sql.js';
import { CopiedRows } from './copied-rows.js';
import type { ExportedField, ExportedRow } from './exported-table.js';

/** Exports that one process writes at the same time; each reads on a connection of its own. */
export const EXPORT_SLOTS = 2;
/** With batches of 500 the worker takes 50 MB more. */
const BATCH_ROWS = 100;
/** One statement reads a whole part, whose first rows may need a sort of all rows of the workspace. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Reads the rows of export jobs by COPY in its binary format, on connections of their own, which takes a quarter of the time of
 * a cursor. All of it is one statement with one timeout, so the rows must be read without long pauses.
 */
@Injectable()
export class ExportCopy {
  private readonly pool: pg.Pool;

  constructor(private readonly pools: DatabasePools) {
    this.pool = pools.create('export-jobs', {
      ...destroyedWhenSilent(STATEMENT_TIMEOUT_MS + SILENCE_MARGIN_MS),
      max: EXPORT_SLOTS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
  }

  /** The rows of a query, which selects these fields, in batches of one size. `signal` ends them. */
  batches(
    sql: Sql,
    fields: readonly ExportedField[],
    signal: AbortSignal,
  ): AsyncGenerator<ExportedRow[], void, undefined> {
    return this.pools.reading(this.pool, signal, async function* (client) {
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
    });
  }
}
