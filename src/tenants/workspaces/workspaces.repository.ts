import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import { type RetainedKind, Workspace, type WorkspaceStatus } from './workspace.entity.js';

/** A workspace in a list, with its position. */
export type ListedWorkspace = Workspace & { position: string };

/** Reads and writes `workspaces`. */
@Injectable()
export class WorkspacesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(workspace: Pick<Workspace, 'id' | 'name' | 'createdAt'>, tx: EntityManager): Promise<void> {
    await tx.insert(Workspace, workspace);
  }

  find(workspaceId: string): Promise<Workspace | null> {
    return this.dataSource.manager.findOneBy(Workspace, { id: workspaceId });
  }

  /** The workspace, locked until the transaction ends. Rows that reference it can still be inserted. */
  lock(workspaceId: string, tx: EntityManager): Promise<Workspace | null> {
    return tx.findOne(Workspace, { where: { id: workspaceId }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * Like {@link lock}, but only for a workspace that is being deleted; null also when another transaction has locked
   * it.
   */
  lockDeleting(workspaceId: string, tx: EntityManager): Promise<Workspace | null> {
    return tx.findOne(Workspace, {
      where: { id: workspaceId, status: 'deleting' },
      lock: { mode: 'for_no_key_update', onLocked: 'skip_locked' },
    });
  }

  /** Deletes a workspace whose deletion was requested; false when there is no such workspace. */
  async deleteRequested(workspaceId: string, tx: EntityManager): Promise<boolean> {
    const result = await tx.delete(Workspace, { id: workspaceId, status: 'deleting' });
    return result.affected === 1;
  }

  /** Workspaces whose name contains `q` or whose id is `q`, newest first, after a position. Crosses workspaces. */
  list(q: string | null, after: TimePosition | null, limit: number): Promise<ListedWorkspace[]> {
    return this.dataSource.query(
      `SELECT id, name, quotas, retention_days AS "retentionDays", status, deletion,
         created_at AS "createdAt", created_at::text AS position
       FROM workspaces
       WHERE ${MATCHES} AND ($2::timestamptz IS NULL OR (created_at, id) < ($2::timestamptz, $3::uuid))
       ORDER BY created_at DESC, id DESC LIMIT $4`,
      [q, after?.time ?? null, after?.id ?? null, limit],
    );
  }

  /** Total number of workspaces that match {@link list}. */
  async count(q: string | null): Promise<number> {
    const [{ count }] = await this.dataSource.query<[{ count: number }]>(
      `SELECT count(*)::integer AS count FROM workspaces WHERE ${MATCHES}`,
      [q],
    );
    return count;
  }

  async update(
    workspaceId: string,
    changes: Partial<Pick<Workspace, 'name' | 'status' | 'quotas' | 'retentionDays' | 'deletion'>>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.update(Workspace, { id: workspaceId }, changes);
  }

  /** The workspaces that are not active, by id. Crosses workspaces. */
  async findInactive(): Promise<Map<string, WorkspaceStatus>> {
    const rows = await this.dataSource.query<{ id: string; status: WorkspaceStatus }[]>(
      `SELECT id, status FROM workspaces WHERE status <> 'active'`,
    );
    return new Map(rows.map(({ id, status }) => [id, status]));
  }

  /** The kinds of data that each workspace deletes by age; workspaces being deleted are omitted. Crosses workspaces. */
  listRetaining(): Promise<{ workspaceId: string; kind: RetainedKind; days: number }[]> {
    return this.dataSource.query(
      `SELECT id AS "workspaceId", kind, days::integer AS days FROM workspaces, jsonb_each_text(retention_days) AS each (kind, days)
       WHERE retention_days <> '{}' AND status <> 'deleting' ORDER BY id, kind`,
    );
  }

  /** Workspace ids in ascending order after the given one, at most `limit`. Crosses workspaces. */
  async listIds(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      'SELECT id FROM workspaces WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2',
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** Quotas that differ from the defaults, by name; empty for an unknown workspace. */
  async findQuotas(workspaceId: string): Promise<Record<string, number>> {
    const [row] = await this.dataSource.query<{ quotas: Record<string, number> }[]>(
      `SELECT quotas FROM workspaces WHERE id = $1`,
      [workspaceId],
    );
    return row?.quotas ?? {};
  }

  /**
   * Like {@link findQuotas}, but locks them until the transaction ends. Rows that reference the workspace can still be
   * inserted.
   */
  async lockQuotas(workspaceId: string, tx: EntityManager): Promise<Record<string, number>> {
    const [row] = await tx.query<{ quotas: Record<string, number> }[]>(
      `SELECT quotas FROM workspaces WHERE id = $1 FOR NO KEY UPDATE`,
      [workspaceId],
    );
    return row?.quotas ?? {};
  }
}

/** Matches a name that contains `$1`, ignoring case, or the id `$1`; null matches everything. */
const MATCHES = `($1::text IS NULL OR strpos(lower(name), lower($1)) > 0 OR id::text = lower(regexp_replace($1, '^ws_', '')))`;
