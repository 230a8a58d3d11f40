import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type AsyncBuffer, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { ExportedRow, ExportedTable } from '../exports/exported-table.js';
import { PARQUET } from '../exports/formats/parquet-encoder.js';
import { writePart } from '../exports/part-file.js';
import { MediaStaging } from '../../content/media/media-staging.js';
import { MediaMissing, MediaStore } from '../../content/media/media-store.js';
import { subjectsOfComment, subjectsOfPost } from '../../content/suppressions/suppressed-subject.js';
import { nameOfSubject, type Subject } from '../../tenants/ports/erasure-subject.js';
import type { Dataset, DatasetPart } from './dataset.entity.js';
import { CONTENT_TYPE, PART_LIMITS } from './dataset-files.js';
import { PUBLIC_ID, tableOf } from './dataset-table.js';
import { DatasetsRepository } from './datasets.repository.js';
import { Traces } from '../../tenants/ports/traces.js';

/** Rows that are decoded or examined together. */
const ROWS_AT_ONCE = 1_000;

/** Those of the rows that are to be erased, each with its subjects. */
export type FindErased = <Row>(
  rows: readonly Row[],
  subjectsOf: (row: Row) => Subject[],
) => Promise<readonly Row[]>;

/** Counts removed rows in the transaction that records the file without them. */
export type CountErased = (rows: number, tx: EntityManager) => Promise<void>;

/** Removes erased rows from the files of datasets. Every call can be repeated after a crash. */
@Injectable()
export class ErasedDatasets {
  constructor(
    private readonly datasets: DatasetsRepository,
    private readonly transactions: TransactionRunner,
    private readonly staging: MediaStaging,
    private readonly store: MediaStore,
    traces: Traces,
  ) {
    traces.register({ erase: this.eraseNames.bind(this) });
  }

  /** Restarts datasets that are being written, because they may have read rows that were erased since. */
  restart(workspaceId: string): Promise<void> {
    return this.datasets.restartRunning(workspaceId);
  }

  /** Removes names and queries that name a subject. */
  private async eraseNames(workspaceId: string, subject: Subject | null): Promise<void> {
    if (subject !== null) await this.datasets.eraseNames(workspaceId, nameOfSubject(subject));
  }

  /**
   * Removes erased rows from the first file after a position, null before all, and counts them in the same transaction.
   * Returns the position of that file; null when no file is left.
   */
  async eraseNext(
    workspaceId: string,
    after: string | null,
    findErased: FindErased,
    count: CountErased,
  ): Promise<string | null> {
    const [datasetId, number] = after?.split('/') ?? [];
    const position = datasetId === undefined ? null : { datasetId, number: Number(number) };
    const part = await this.datasets.partAfter(workspaceId, position);
    if (part === null) return null;
    const dataset = await this.datasets.find(workspaceId, part.datasetId);
    await this.removeReplaced(part);
    if (dataset !== null) await this.erase(part, dataset, findErased, count);
    return `${part.datasetId}/${part.number}`;
  }

  private async erase(
    part: DatasetPart,
    { kind, labellers }: Dataset,
    findErased: FindErased,
    count: CountErased,
  ): Promise<void> {
    const { workspaceId } = part;
    const table = tableOf({ kind, labellers });
    const stored = await this.open(part);
    if (stored === null) return;
    const file = fileOf(await buffer(stored));
    const at = (name: string): number => table.fields.findIndex((field) => field.name === name);
    const columns = [PUBLIC_ID[kind], ...(kind === 'posts' ? ['author'] : ['post_id', 'author'])];
    const indexes = columns.map(at);
    const subjectsOf = (row: ExportedRow): Subject[] => {
      const [id, second, third] = indexes.map((index) => String(row[index]));
      return kind === 'posts'
        ? subjectsOfPost({ id: id!, author: second! })
        : subjectsOfComment({ commentId: id!, postId: second!, author: third! });
    };
    const erased = new Set<string>();
    for await (const rows of rowsOf(file, table, part.rows))
      for (const row of await findErased(rows, subjectsOf)) erased.add(String(row[indexes[0]!]));
    if (erased.size === 0) return;
    const kept = async function* (): AsyncGenerator<ExportedRow[]> {
      for await (const rows of rowsOf(file, table, part.rows))
        yield rows.filter((row) => !erased.has(String(row[indexes[0]!])));
    };
    const folder = await this.staging.folder();
    try {
      const path = join(folder, 'part');
      const encoder = PARQUET.createEncoder(table, {});
      // As many rows as before or fewer, so no limit is reached before the end.
      const limits = { rows: PART_LIMITS.rows + 1, bytes: Infinity };
      const { rows, bytes, sha256 } = await writePart(kept(), encoder, {
        path,
        limits,
        signal: new AbortController().signal,
      });
      // After a crash the same name is used again, so that no file is left without a record.
      const key = `${part.key}-`;
      await this.store.remove(key);
      await this.store.keep(path, key, CONTENT_TYPE);
      const replaced = { key, rows, bytes, sha256 };
      const isReplaced = await this.transactions.run(async (tx) => {
        await count(erased.size, tx);
        return this.datasets.replacePart(workspaceId, part, replaced, erased.size, tx);
      });
      if (isReplaced) await this.removeReplaced({ ...part, replacedKey: part.key });
      else await this.store.remove(key);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Null when the store has lost the file. */
  private async open({ key, bytes }: DatasetPart): Promise<Readable | null> {
    try {
      return await this.store.read(key, bytes);
    } catch (error) {
      if (error instanceof MediaMissing) return null;
      throw error;
    }
  }

  private async removeReplaced({ workspaceId, datasetId, number, replacedKey }: DatasetPart): Promise<void> {
    if (replacedKey === null) return;
    await this.store.remove(replacedKey);
    await this.datasets.forgetReplaced(workspaceId, datasetId, number);
  }
}

const fileOf = (bytes: Buffer): AsyncBuffer => {
  const copy = Uint8Array.from(bytes).buffer;
  return { byteLength: copy.byteLength, slice: (start, end) => copy.slice(start, end) };
};

/** Decodes the rows of a file in batches, as they were encoded. */
async function* rowsOf(
  file: AsyncBuffer,
  table: ExportedTable,
  total: number,
): AsyncGenerator<ExportedRow[]> {
  const columns = table.fields.map(({ name }) => name);
  const metadata = await parquetMetadataAsync(file);
  for (let rowStart = 0; rowStart < total; rowStart += ROWS_AT_ONCE) {
    let rows: unknown[][] = [];
    const rowEnd = Math.min(total, rowStart + ROWS_AT_ONCE);
    await parquetRead({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      rowFormat: 'array',
      onComplete: (read: unknown) => (rows = read as unknown[][]),
    });
    yield rows.map((row) =>
      row.map((value) => (typeof value === 'bigint' ? Number(value) : (value as ExportedRow[number]))),
    );
    await setImmediate();
  }
}
