import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { type Lease, type LeaseRelease, prolongLease, releaseLease } from '../../database/leases.js';
import { ExportJob, ExportPart, EXPORTS_KEPT } from './export-job.entity.js';

/** The first export of a workspace that waits for a worker. */
export interface WaitingExport {
  workspaceId: string;
  id: string;
  /** Number of the workspace's exports that workers are writing now. */
  running: number;
}

/** An export that this process is writing. */
export interface ClaimedExport {
  job: ExportJob;
  /**
   * False when the database was restored after the export was requested, which makes its transaction ids meaningless.
   */
  isOfThisDatabase: boolean;
}

/** Leases of running exports. Times are the database's. */
@Injectable()
export class ExportLeasesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Serializes callers in all processes until their transactions end, so that each sees the others' claims. */
  async lockClaims(tx: EntityManager): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('export claims', 0))`);
  }

  /**
   * The first waiting export of up to `limit` workspaces: those with the fewest running exports first, then by age. An
   * export whose worker was lost comes before those that have not started. `without` lists workspaces to exclude.
   * Crosses workspaces.
   */
  findWaiting(without: readonly string[], limit: number, tx: EntityManager): Promise<WaitingExport[]> {
    return tx.query(
      `WITH unfinished AS (
         SELECT workspace_id, id, created_at, started_at, coalesce(lease_until > clock_timestamp(), false) AS is_leased
         FROM exports WHERE status IN ('pending', 'running') AND workspace_id <> ALL ($2::uuid[])
       )
       SELECT workspace_id AS "workspaceId", id, running FROM (
         SELECT DISTINCT ON (workspace_id) workspace_id, id, created_at,
           (SELECT count(*)::int FROM unfinished AS other
             WHERE other.workspace_id = unfinished.workspace_id AND other.is_leased) AS running
         FROM unfinished WHERE NOT is_leased
         ORDER BY workspace_id, started_at NULLS LAST, created_at
       ) AS first ORDER BY running, created_at LIMIT $1`,
      [limit, without],
    );
  }

  /**
   * Takes the lease of an unfinished export that no worker holds. The first claim fixes which rows the export includes.
   */
  async claim(
    workspaceId: string,
    id: string,
    { owner, leaseMs }: { owner: string; leaseMs: number },
    tx: EntityManager,
  ): Promise<ClaimedExport | null> {
    const [rows] = await tx.query<[{ isOfThisDatabase: boolean }[], number]>(
      `UPDATE exports SET status = 'running', started_at = coalesce(started_at, clock_timestamp()), lease_owner = $3,
         lease_until = clock_timestamp() + $4 * interval '1 millisecond', attempts = attempts + 1,
         horizon = coalesce(horizon, pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
       WHERE workspace_id = $1 AND id = $2 AND status IN ('pending', 'running')
         AND (lease_until IS NULL OR lease_until <= clock_timestamp())
       RETURNING database_id = (SELECT system_identifier::text FROM pg_control_system()) AS "isOfThisDatabase"`,
      [workspaceId, id, owner, leaseMs],
    );
    if (rows.length === 0) return null;
    return {
      job: await tx.findOneByOrFail(ExportJob, { workspaceId, id }),
      isOfThisDatabase: rows[0]!.isOfThisDatabase,
    };
  }

  /** Renews the lease. False when this owner has lost it or the export was cancelled. */
  prolong(lease: Lease, leaseMs: number): Promise<boolean> {
    return prolongLease(this.dataSource, 'exports', lease, leaseMs);
  }

  /** Releases the export, so that any worker can continue it after the delay. */
  release(lease: Lease, how: LeaseRelease): Promise<void> {
    return releaseLease(this.dataSource, 'exports', lease, how);
  }

  /** The last finished file, after which the next one starts; null when there is none. */
  async lastPart(workspaceId: string, exportId: string): Promise<ExportPart | null> {
    return this.dataSource.manager.findOne(ExportPart, {
      where: { workspaceId, exportId },
      order: { number: 'DESC' },
    });
  }

  /** Records a finished file. Records nothing and returns false when this owner has lost the lease. */
  async recordPart(part: ExportPart, owner: string, tx: EntityManager): Promise<boolean> {
    const [, held] = await tx.query<[unknown[], number]>(
      'UPDATE exports SET attempts = 1 WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3',
      [part.workspaceId, part.exportId, owner],
    );
    if (held === 0) return false;
    await tx.insert(ExportPart, part);
    return true;
  }

  /** Ends the export; null when this owner has lost the lease. */
  async end(
    workspaceId: string,
    id: string,
    owner: string,
    outcome: Pick<ExportJob, 'status' | 'errorMessage'>,
    tx: EntityManager,
  ): Promise<ExportJob | null> {
    const [, ended] = await tx.query<[unknown[], number]>(
      `UPDATE exports SET status = $4, error_message = $5, completed_at = clock_timestamp(),
         expires_at = clock_timestamp() + ${EXPORTS_KEPT}, lease_owner = NULL, lease_until = NULL
       WHERE workspace_id = $1 AND id = $2 AND lease_owner = $3`,
      [workspaceId, id, owner, outcome.status, outcome.errorMessage],
    );
    return ended === 0 ? null : tx.findOneByOrFail(ExportJob, { workspaceId, id });
  }
}
