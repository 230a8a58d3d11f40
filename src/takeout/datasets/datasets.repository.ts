import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { WrittenFilesRepository } from '../exports/written-files.repository.js';
import { Dataset, DatasetPart } from './dataset.entity.js';

/** Statement that lists the file of every part for backups. */
export const STORED_DATASET_PARTS =
  "SELECT key, bytes, sha256, 'application/octet-stream' AS content_type FROM dataset_parts";

/** Message of a dataset whose name or query named an erased subject before its files were written. */
const NAMED_ERASED = 'Its name or query named an erased subject.';

/** Datasets as their workspace and erasures see them. */
@Injectable()
export class DatasetsRepository extends WrittenFilesRepository<Dataset, DatasetPart> {
  constructor(
    @InjectRepository(Dataset) private readonly datasets: Repository<Dataset>,
    @InjectRepository(DatasetPart) parts: Repository<DatasetPart>,
  ) {
    super(datasets, parts, 'datasetId');
  }

  /** Inserts a pending dataset; null when the workspace has `limit` of them. */
  async insert(
    workspaceId: string,
    { id, name, kind, filters }: Pick<Dataset, 'id' | 'name' | 'kind' | 'filters'>,
    limit: number,
  ): Promise<Dataset | null> {
    await this.datasets.query(
      `INSERT INTO datasets (workspace_id, id, name, kind, filters)
       SELECT $1, $2, $3, $4, $5 WHERE (SELECT count(*) FROM datasets WHERE workspace_id = $1) < $6`,
      [workspaceId, id, name, kind, JSON.stringify(filters), limit],
    );
    return this.find(workspaceId, id);
  }

  /** Deletes a dataset and the records of its files; the worker that writes it stops. */
  async delete(workspaceId: string, id: string): Promise<void> {
    await this.datasets.delete({ workspaceId, id });
  }

  /** Takes running datasets from their workers, so that they are written again from the present rows. */
  async restartRunning(workspaceId: string): Promise<void> {
    await this.datasets.query(
      `UPDATE datasets SET status = 'pending', lease_owner = NULL, lease_until = NULL
       WHERE workspace_id = $1 AND status = 'running'`,
      [workspaceId],
    );
  }

  /** The first file of a completed dataset after a position; null when there is none. */
  async partAfter(
    workspaceId: string,
    after: Pick<DatasetPart, 'datasetId' | 'number'> | null,
  ): Promise<DatasetPart | null> {
    const [row] = await this.parts.query<{ id: string; number: number }[]>(
      `SELECT dataset_id AS id, number FROM dataset_parts AS part
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR (dataset_id, number) > ($2, $3::integer))
         AND EXISTS (SELECT FROM datasets WHERE workspace_id = $1 AND id = part.dataset_id AND status = 'completed')
       ORDER BY dataset_id, number LIMIT 1`,
      [workspaceId, after?.datasetId ?? null, after?.number ?? null],
    );
    return row === undefined ? null : this.findPart(workspaceId, row.id, row.number);
  }

  /** Replaces a file by one without erased rows; false when the dataset was deleted. */
  async replacePart(
    workspaceId: string,
    { datasetId, number, key: replacedKey }: DatasetPart,
    file: Pick<DatasetPart, 'key' | 'rows' | 'bytes' | 'sha256'>,
    erasedRows: number,
    tx: EntityManager,
  ): Promise<boolean> {
    const [, changed] = await tx.query<[unknown[], number]>(
      `UPDATE datasets SET erased_rows = erased_rows + $3, erased_at = clock_timestamp()
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, datasetId, erasedRows],
    );
    await tx.update(DatasetPart, { workspaceId, datasetId, number }, { ...file, replacedKey });
    return changed > 0;
  }

  /** Forgets the file that a part replaced, once it is removed. */
  async forgetReplaced(workspaceId: string, datasetId: string, number: number): Promise<void> {
    await this.parts.update({ workspaceId, datasetId, number }, { replacedKey: null });
  }

  /** Removes names and queries that name a text, in any case; datasets that are not written yet then fail. */
  async eraseNames(workspaceId: string, text: string): Promise<void> {
    await this.datasets.query(
      `UPDATE datasets SET name = CASE WHEN strpos(lower(name), lower($2)) > 0 THEN '[deleted]' ELSE name END,
         filters = CASE WHEN strpos(lower(filters::text), lower($2)) > 0 THEN '{}' ELSE filters END,
         status = CASE WHEN status = 'completed' THEN status ELSE 'failed' END,
         error_message = CASE WHEN status = 'completed' THEN error_message ELSE $3 END,
         lease_owner = NULL, lease_until = NULL
       WHERE workspace_id = $1
         AND (strpos(lower(name), lower($2)) > 0 OR strpos(lower(filters::text), lower($2)) > 0)`,
      [workspaceId, text, NAMED_ERASED],
    );
  }
}
