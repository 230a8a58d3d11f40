import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { type Sql, SqlParameters } from '../../database/sql.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { MediaStaging } from '../../content/media/media-staging.js';
import { MediaStore } from '../../content/media/media-store.js';
import { COMMENT_SEARCH } from '../../content/comments/comment-filter.js';
import { POST_SEARCH } from '../../content/posts/post-filter.js';
import { hasMatch, type WantedMatch } from '../../alerts/triage/matched-records.js';
import type { SearchFilter } from '../../search/search-request.js';
import { conditionOf } from '../../search/sql/conditions.js';
import { ExportCopy } from './export-copy.js';
import { encoderOfColumns } from './export-columns.js';
import { isCompressedAsWhole, partContentType } from './export-format.js';
import type { ExportJob, ExportPart } from './export-job.entity.js';
import { exportFolder } from './export-jobs.service.js';
import { ExportLeasesRepository } from './export-leases.repository.js';
import { ExportQuota } from './export-quota.js';
import { type WrittenFile, writePart } from './part-file.js';
import { keepPart } from './stored-part.js';
import { Pseudonyms } from './pseudonyms.js';
import { EXPORTED_TABLES } from './exported-table.js';
import { compressed } from './formats/compression.js';
import { EXPORT_FORMATS } from './formats/export-formats.js';

/** Limits of a part. */
export const PART_LIMITS = { rows: 100_000, bytes: 256 * 1_024 * 1_024 };

type WrittenPart = Omit<WrittenFile, 'lastRow'> & Pick<ExportPart, 'lastId'>;

/**
 * Writes the parts of an export, each row once: ordered by id, because ids never change, starting after the last
 * recorded part. The same rows give the same bytes, whichever worker writes them.
 */
@Injectable()
export class ExportExecutor {
  constructor(
    private readonly copy: ExportCopy,
    private readonly leases: ExportLeasesRepository,
    private readonly transactions: TransactionRunner,
    private readonly staging: MediaStaging,
    private readonly store: MediaStore,
    private readonly quota: ExportQuota,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /**
   * Resolves when every part is recorded. Throws {@link LeaseLost}, the problem `quota_exceeded`, or the signal's
   * reason when it aborts.
   */
  async execute(job: ExportJob, owner: string, signal: AbortSignal): Promise<void> {
    let last = await this.leases.lastPart(job.workspaceId, job.id);
    for (let isFull = true; isFull;) {
      signal.throwIfAborted();
      const folder = await this.staging.folder();
      try {
        const path = join(folder, 'part');
        const written = await this.write(job, last?.lastId ?? null, path, signal);
        // An export without rows has one part, so that there is always a file to download.
        if (written.rows === 0 && last !== null) return;
        last = await this.keep(job, { ...written, number: (last?.number ?? 0) + 1 }, path, owner);
        ({ isFull } = written);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }
  }

  private async write(
    job: ExportJob,
    after: string | null,
    path: string,
    signal: AbortSignal,
  ): Promise<WrittenPart> {
    const table = EXPORTED_TABLES[job.kind];
    const { format, compression, byteOrderMark } = job;
    const { createEncoder } = EXPORT_FORMATS.get(format);
    const encoder = encoderOfColumns(table, job.columns, (chosen) =>
      createEncoder(chosen, { compression, byteOrderMark }),
    );
    const stored = this.copy.batches(job.workspaceId, selectPart(job, after), table.fields, signal);
    const batches = job.pseudonymize ? this.pseudonyms.replace(job.workspaceId, job.kind, stored) : stored;
    const { lastRow, ...written } = await writePart(
      batches,
      encoder,
      { path, limits: PART_LIMITS, signal },
      (bytes) => (isCompressedAsWhole(format, compression) ? compressed(compression, bytes) : bytes),
    );
    const id = table.fields.findIndex(({ name }) => name === 'id');
    return { ...written, lastId: lastRow === null ? null : String(lastRow[id]) };
  }

  /** Stores the file and records it; removes it again if the lease was lost before it could be recorded. */
  private async keep(
    job: ExportJob,
    { isFull: _, ...written }: WrittenPart & { number: number },
    path: string,
    owner: string,
  ): Promise<ExportPart> {
    // Two workers may write the same part when one has lost its lease, so their files need different names.
    const key = `${exportFolder(job.workspaceId, job.id)}/${newId()}`;
    const part = { workspaceId: job.workspaceId, exportId: job.id, key, ...written };
    await this.quota.enforce(job.workspaceId, part.bytes);
    await keepPart(this.store, { path, key, contentType: partContentType(job) }, () =>
      this.transactions.run((tx) => this.leases.recordPart(part, owner, tx)),
    );
    return part;
  }
}

/** Columns from joined tables, besides the columns of exports. */
export interface SelectedRows {
  limit: number;
  columns: string;
  joins: (parameters: SqlParameters) => string;
}

/**
 * Selects the rows of the next part, ordered by id: those after an id and, for an incremental export, those written since
 * its base.
 */
export function selectPart(
  {
    workspaceId,
    kind,
    filters,
    changedSince,
  }: Pick<ExportJob, 'workspaceId' | 'kind' | 'filters' | 'changedSince'>,
  after: string | null,
  { limit, columns, joins }: SelectedRows = {
    limit: PART_LIMITS.rows,
    columns: EXPORTED_TABLES[kind].columns,
    joins: () => '',
  },
): Sql {
  const table = kind === 'posts' ? POST_SEARCH : COMMENT_SEARCH;
  const parameters = new SqlParameters();
  const from = `${table.name} ${joins(parameters)}`;
  const { state, label, ...filter } = filters as SearchFilter & WantedMatch;
  const where = [conditionOf(table, workspaceId, filter, parameters)];
  const match = hasMatch(workspaceId, kind, { state, label }, (value) => parameters.add(value));
  if (match !== null) where.push(match);
  if (changedSince !== null) where.push(writtenSince(parameters.add(changedSince)));
  if (after !== null) where.push(`id > ${parameters.add(after)}::${table.idType}`);
  return {
    text:
      `SELECT ${columns} FROM ${from} WHERE ${where.join(' AND ')} ` +
      `ORDER BY id LIMIT ${parameters.add(limit)}`,
    parameters: parameters.values,
  };
}

/**
 * Whether a row was written by the transaction with this id or a later one. A row stores the lower 32 bits of its
 * writer's id, so they are compared by their distance to the next id. At worst, a row older than 4 billion transactions
 * counts as changed.
 */
function writtenSince(id: string): string {
  const next = '(SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint)';
  return `((${next} - xmin::text::bigint) & 4294967295) <= ${next} - ${id}::bigint`;
}
