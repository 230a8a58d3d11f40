import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Lease, type LeaseRelease, prolongLease, releaseLease } from '../../database/leases.js';
import { Dataset, DatasetPart } from './dataset.entity.js';

/** Values that are known when all files of a dataset are written. */
export type FrozenRows = Pick<Dataset, 'sources' | 'models' | 'labellers'>;

/** How a dataset ended. */
export type DatasetOutcome = FrozenRows & Pick<Dataset, 'status' | 'errorMessage'>;

/** Leases of datasets that workers write. Times are the database's. */
@Injectable()
export class DatasetLeasesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Takes the lease of the oldest unfinished dataset that no worker holds, except those of `without`; null when there is
   * none. Files of an earlier worker do not count. Crosses workspaces.
   */
  async claim(without: readonly string[], owner: string, leaseMs: number): Promise<Dataset | null> {
    const [rows] = await this.dataSource.query<[{ workspaceId: string; id: string }[], number]>(
      `UPDATE datasets SET status = 'running', frozen_at = clock_timestamp(), lease_owner = $2,
         lease_until = clock_timestamp() + $3 * interval '1 millisecond', attempts = attempts + 1
       WHERE (workspace_id, id) = (
         SELECT workspace_id, id FROM datasets
         WHERE status IN ('pending', 'running') AND workspace_id <> ALL ($1::uuid[])
           AND (lease_until IS NULL OR lease_until <= clock_timestamp())
         ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING workspace_id AS "workspaceId", id`,
      [without, owner, leaseMs],
    );
    const [claimed] = rows;
    return claimed === undefined ? null : this.dataSource.manager.findOneBy(Dataset, claimed);
  }

  /** Renews the lease; false when this owner has lost it. */
  prolong(lease: Lease, leaseMs: number): Promise<boolean> {
    return prolongLease(this.dataSource, 'datasets', lease, leaseMs);
  }

  /** Gives the lease back; another worker may start it again after the delay. */
  release(lease: Lease, how: LeaseRelease): Promise<void> {
    return releaseLease(this.dataSource, 'datasets', lease, how);
  }

  /** Deletes the records of the files that earlier workers wrote. */
  async deleteParts(workspaceId: string, id: string): Promise<void> {
    await this.dataSource.manager.delete(DatasetPart, { workspaceId, datasetId: id });
  }

  /** Records a finished file. Records nothing and returns false when this owner has lost the lease. */
  async recordPart(part: DatasetPart, owner: string, tx: EntityManager): Promise<boolean> {
    const held = await tx.query<unknown[]>(
      'SELECT 1 FROM datasets WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3 FOR UPDATE',
      [part.workspaceId, part.datasetId, owner],
    );
    if (held.length === 0) return false;
    await tx.insert(DatasetPart, part);
    return true;
  }

  /** Ends the dataset; false when this owner has lost the lease. */
  async end(
    workspaceId: string,
    id: string,
    owner: string,
    { status, errorMessage, sources, models, labellers }: DatasetOutcome,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<boolean> {
    const [, ended] = await tx.query<[unknown[], number]>(
      `UPDATE datasets SET status = $4, error_message = $5, sources = $6, models = $7,
         labellers = $8,
         completed_at = clock_timestamp(), lease_owner = NULL, lease_until = NULL
       WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3`,
      [
        workspaceId,
        id,
        owner,
        status,
        errorMessage,
        JSON.stringify(sources),
        models && JSON.stringify(models),
        labellers,
      ],
    );
    return ended === 1;
  }
}
