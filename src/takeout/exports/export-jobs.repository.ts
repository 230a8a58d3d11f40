import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { type Backlog, backlogColumns } from '../../database/backlog.js';
import { type ExportChoices, ExportJob, ExportPart, EXPORTS_KEPT, WITHDRAWN } from './export-job.entity.js';
import { WrittenFilesRepository } from './written-files.repository.js';

/**
 * Statement that lists the file of every part for backups. The content type of a download is derived from its export.
 */
export const STORED_EXPORT_PARTS =
  "SELECT key, bytes, sha256, 'application/octet-stream' AS content_type FROM export_parts";

/** Maximum number of pending and running exports of a workspace. */
export const MAX_UNFINISHED = 100;

/** An export to be written. */
export type NewExport = ExportChoices &
  Pick<
    ExportJob,
    'id' | 'name' | 'recurringId' | 'incrementalFrom' | 'changedSince' | 'destinationUrl' | 'sealedSecret'
  >;

/** Exports as their workspace sees them. `ExportLeasesRepository` makes the changes of their execution. */
@Injectable()
export class ExportJobsRepository extends WrittenFilesRepository<ExportJob, ExportPart> {
  constructor(
    @InjectRepository(ExportJob) private readonly jobs: Repository<ExportJob>,
    @InjectRepository(ExportPart) parts: Repository<ExportPart>,
  ) {
    super(jobs, parts, 'exportId');
  }

  /** Inserts a pending export. Returns false when the workspace already has `limit` unfinished ones. */
  async insert(
    workspaceId: string,
    job: NewExport,
    limit: number,
    tx: EntityManager = this.jobs.manager,
  ): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `INSERT INTO exports (workspace_id, id, kind, format, compression, filters, incremental_from, changed_since, pseudonymize, byte_order_mark, name, columns, recurring_id, destination_url, sealed_secret, database_id)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12, $13, $14, $15, $16, system_identifier FROM pg_control_system()
       WHERE (SELECT count(*) FROM exports WHERE workspace_id = $1 AND status IN ('pending', 'running')) < $9
       RETURNING id`,
      [
        workspaceId,
        job.id,
        job.kind,
        job.format,
        job.compression,
        JSON.stringify(job.filters),
        job.incrementalFrom,
        job.changedSince,
        limit,
        job.pseudonymize,
        job.byteOrderMark,
        job.name,
        job.columns,
        job.recurringId,
        job.destinationUrl,
        job.sealedSecret,
      ],
    );
    return rows.length === 1;
  }

  /** The backlog of pending exports, except those of `exceptWorkspaces`. Crosses workspaces. */
  async backlog(exceptWorkspaces: readonly string[]): Promise<Backlog> {
    const [row] = await this.jobs.query<[Backlog]>(
      `SELECT ${backlogColumns('created_at')} FROM exports WHERE status = 'pending' AND workspace_id <> ALL ($1::uuid[])`,
      [exceptWorkspaces],
    );
    return row;
  }

  /** Identifier of this database cluster; exports with another one were restored into it from a backup. */
  async databaseId(tx: EntityManager = this.jobs.manager): Promise<string> {
    const [{ id }] = await tx.query<[{ id: string }]>(
      'SELECT system_identifier::text AS id FROM pg_control_system()',
    );
    return id;
  }

  /** Whether Citus stores posts or comments on other servers, which have their own transaction ids. */
  async areRowsDistributed(tx: EntityManager = this.jobs.manager): Promise<boolean> {
    const [{ catalog }] = await tx.query<[{ catalog: string | null }]>(
      `SELECT to_regclass('pg_dist_partition')::text AS catalog`,
    );
    if (catalog === null) return false;
    const rows = await tx.query<unknown[]>(
      `SELECT 1 FROM pg_dist_partition
       WHERE logicalrelid IN ('posts'::regclass, 'comments'::regclass) AND partmethod = 'h'`,
    );
    return rows.length > 0;
  }

  /**
   * Cancels an unfinished export; its execution stops at the next heartbeat. False when the export has already ended.
   */
  async cancel(workspaceId: string, id: string, tx: EntityManager): Promise<boolean> {
    const [, cancelled] = await tx.query<[unknown[], number]>(
      `UPDATE exports SET status = 'cancelled', completed_at = clock_timestamp(), lease_owner = NULL, lease_until = NULL,
         expires_at = clock_timestamp() + ${EXPORTS_KEPT}
       WHERE workspace_id = $1 AND id = $2 AND status IN ('pending', 'running')`,
      [workspaceId, id],
    );
    if (cancelled === 0) return false;
    await tx.query('DELETE FROM export_parts WHERE workspace_id = $1 AND export_id = $2', [workspaceId, id]);
    return true;
  }

  /**
   * Fails the exports of these kinds that are running or have files, which may contain records that are being erased. An
   * execution stops at its next heartbeat. Returns how many.
   */
  async withdraw(workspaceId: string, kinds: readonly string[]): Promise<number> {
    const [, withdrawn] = await this.jobs.query<[unknown[], number]>(
      `UPDATE exports SET status = 'failed', error_message = $3, lease_owner = NULL, lease_until = NULL,
         completed_at = coalesce(completed_at, clock_timestamp()),
         expires_at = coalesce(expires_at, clock_timestamp() + ${EXPORTS_KEPT})
       WHERE workspace_id = $1 AND kind = ANY ($2) AND error_message IS DISTINCT FROM $3
         AND (status IN ('running', 'completed')
           OR EXISTS (SELECT FROM export_parts WHERE workspace_id = $1 AND export_id = exports.id))`,
      [workspaceId, kinds, WITHDRAWN],
    );
    return withdrawn;
  }

  /** Ids of withdrawn exports whose files are still recorded. */
  async listWithdrawn(workspaceId: string): Promise<string[]> {
    const rows = await this.jobs.query<{ id: string }[]>(
      `SELECT id FROM exports WHERE workspace_id = $1 AND status = 'failed' AND error_message = $2
         AND EXISTS (SELECT FROM export_parts WHERE workspace_id = $1 AND export_id = exports.id)`,
      [workspaceId, WITHDRAWN],
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes the records of an export's files. */
  async deleteParts(workspaceId: string, id: string): Promise<void> {
    await this.parts.delete({ workspaceId, exportId: id });
  }

  /** Removes the name and the filters of exports that name a text, in any case; those not yet started then export nothing. */
  async eraseFilters(workspaceId: string, text: string): Promise<void> {
    await this.jobs.query(
      `UPDATE exports SET filters = '{}', name = NULL,
         status = CASE status WHEN 'pending' THEN 'cancelled' ELSE status END,
         completed_at = coalesce(completed_at, clock_timestamp()),
         expires_at = coalesce(expires_at, clock_timestamp() + ${EXPORTS_KEPT})
       WHERE workspace_id = $1 AND status <> 'running' AND strpos(lower(filters::text || coalesce(name, '')), lower($2)) > 0`,
      [workspaceId, text],
    );
  }

  /** Deletes an ended export and the records of its files. */
  async delete(workspaceId: string, id: string): Promise<void> {
    await this.jobs.query(
      `DELETE FROM exports WHERE workspace_id = $1 AND id = $2 AND status NOT IN ('pending', 'running')`,
      [workspaceId, id],
    );
  }

  /** Up to `limit` expired exports, longest expired first. Crosses workspaces. */
  findExpired(limit: number): Promise<Pick<ExportJob, 'workspaceId' | 'id'>[]> {
    return this.jobs.query(
      `SELECT workspace_id AS "workspaceId", id FROM exports WHERE expires_at < clock_timestamp()
       ORDER BY expires_at LIMIT $1`,
      [limit],
    );
  }
}
