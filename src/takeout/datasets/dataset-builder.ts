import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { modelVersions } from '../../enrichment/model-versions.js';
import { SOURCES } from '../../platforms/registry.js';
import { ExportCopy } from '../exports/export-copy.js';
import { selectPart } from '../exports/export-executor.js';
import { enforceFileBytes } from '../exports/export-quota.js';
import type { ExportedRow } from '../exports/exported-table.js';
import { PARQUET } from '../exports/formats/parquet-encoder.js';
import { type WrittenFile, writePart } from '../exports/part-file.js';
import { keepPart } from '../exports/stored-part.js';
import { LabelsRepository } from '../../content/labels/labels.repository.js';
import { MediaStaging } from '../../content/media/media-staging.js';
import { MediaStore } from '../../content/media/media-store.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { Dataset } from './dataset.entity.js';
import { CONTENT_TYPE, datasetFolder, MAX_ROWS, PART_LIMITS } from './dataset-files.js';
import { DatasetLeasesRepository, type FrozenRows } from './dataset-leases.repository.js';
import { joinsOf, PUBLIC_ID, tableOf } from './dataset-table.js';
import { DatasetsRepository } from './datasets.repository.js';

/**
 * Writes the files of a dataset from one statement, so that all rows are those of one moment, ordered by id. The same
 * rows give the same bytes.
 */
@Injectable()
export class DatasetBuilder {
  constructor(
    private readonly copy: ExportCopy,
    private readonly datasets: DatasetsRepository,
    private readonly leases: DatasetLeasesRepository,
    private readonly transactions: TransactionRunner,
    private readonly staging: MediaStaging,
    private readonly store: MediaStore,
    private readonly quotas: QuotasService,
    private readonly labels: LabelsRepository,
  ) {}

  /**
   * Writes all files again and returns their contents. Throws {@link LeaseLost}, the problem `quota_exceeded`,
   * or the signal's reason when it aborts.
   */
  async build(dataset: Dataset, owner: string, signal: AbortSignal): Promise<FrozenRows> {
    const { workspaceId, id, kind } = dataset;
    await this.leases.deleteParts(workspaceId, id);
    await this.store.removeFolder(datasetFolder(workspaceId, id));
    const labellers = await this.labels.labellers(workspaceId);
    const table = tableOf({ kind, labellers });
    const sources: Record<string, number> = {};
    const sql = selectPart({ ...dataset, changedSince: null }, null, {
      limit: MAX_ROWS,
      columns: table.columns,
      joins: (parameters) => joinsOf({ workspaceId, kind, labellers }, parameters),
    });
    const rows = this.copy.batches(workspaceId, sql, table.fields, signal);
    const idAt = table.fields.findIndex(({ name }) => name === PUBLIC_ID[kind]);
    const counted = resumable(countSources(rows, idAt, sources));
    try {
      for (let number = 1, isFull = true; isFull; number += 1) {
        const folder = await this.staging.folder();
        try {
          const path = join(folder, 'part');
          const encoder = PARQUET.createEncoder(table, {});
          const written = await writePart(counted, encoder, { path, limits: PART_LIMITS, signal });
          ({ isFull } = written);
          // A dataset without rows has one file.
          if (written.rows > 0 || number === 1) await this.keep(dataset, number, written, path, owner);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }
    } finally {
      await rows.return();
    }
    return { sources, models: modelVersions(), labellers };
  }

  private async keep(
    { workspaceId, id }: Dataset,
    number: number,
    { rows, bytes, sha256 }: WrittenFile,
    path: string,
    owner: string,
  ): Promise<void> {
    await enforceFileBytes(this.quotas, workspaceId, bytes, {
      used: () => this.datasets.storedBytes(workspaceId),
      remedy: 'Files of datasets count apart from media. Delete datasets that are not needed.',
    });
    const key = `${datasetFolder(workspaceId, id)}/${newId()}`;
    const part = { workspaceId, datasetId: id, number, key, rows, bytes, sha256, replacedKey: null };
    await keepPart(this.store, { path, key, contentType: CONTENT_TYPE }, () =>
      this.transactions.run((tx) => this.leases.recordPart(part, owner, tx)),
    );
  }
}

async function* countSources(
  batches: AsyncIterable<ExportedRow[]>,
  idAt: number,
  sources: Record<string, number>,
): AsyncGenerator<ExportedRow[]> {
  for await (const rows of batches) {
    for (const row of rows) {
      const source = SOURCES.ofId(String(row[idAt]))?.source ?? 'unknown';
      sources[source] = (sources[source] ?? 0) + 1;
    }
    yield rows;
  }
}

/** A sequence that a loop can leave and the next one continues. */
const resumable = <Item>(items: AsyncIterator<Item>): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]: () => ({ next: () => items.next() }),
});
