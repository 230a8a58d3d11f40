import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { acrossWorkspaces } from '../../common/work-scope.js';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import type { AuditEntry } from './audit-entry.entity.js';

/** The part of an entry that is known before the change. */
export type NewAuditEntry = Omit<AuditEntry, 'recordedAt' | 'status' | 'sequence' | 'hash'>;

/** The part of an entry that is known after the change. */
export interface AuditOutcome extends Pick<AuditEntry, 'status' | 'targetWorkspaceId' | 'resource'> {
  /** Who a request that signs in turned out to be. */
  signedIn?: Pick<AuditEntry, 'actor' | 'actorName'>;
}

/** Which entries to list; without a value, all. */
export interface AuditFilter {
  workspaceId?: string | undefined;
  actor?: AuditEntry['actor'] | undefined;
  action?: string | undefined;
}

/** An entry in a list, with its timestamp as Postgres formats it. */
export type ListedEntry = AuditEntry & { position: string };

/**
 * The statement does not wait for the disk. The entry is written before its change, and Postgres flushes its log in
 * order: once the change is on disk, so is the entry.
 */
const WITHOUT_WAITING = `WITH setting AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/**
 * Reads and writes `audit_entries`. For operators only, so its methods take no workspace id. Requests may only insert:
 * later work runs outside their workspace, and never changes a sealed entry.
 */
@Injectable()
export class AuditRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async insert(entry: NewAuditEntry, status: number | null = null): Promise<void> {
    await this.dataSource.query(
      `${WITHOUT_WAITING}
       INSERT INTO audit_entries
         (id, recorded_at, actor, actor_name, ip, action, target_workspace_id, resource, fields, request_id, status)
       SELECT $1, clock_timestamp(), $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM setting`,
      [
        entry.id,
        entry.actor,
        entry.actorName,
        entry.ip,
        entry.action,
        entry.targetWorkspaceId,
        JSON.stringify(entry.resource),
        entry.fields,
        entry.requestId,
        status,
      ],
    );
  }

  async finish(id: string, { status, targetWorkspaceId, resource, signedIn }: AuditOutcome): Promise<void> {
    await acrossWorkspaces(() =>
      this.dataSource.query(
        `${WITHOUT_WAITING}
         UPDATE audit_entries SET status = $2, target_workspace_id = coalesce(target_workspace_id, $3), resource = resource || $4,
           actor = coalesce($5, actor), actor_name = coalesce($6, actor_name)
         FROM setting WHERE id = $1 AND sequence IS NULL`,
        [
          id,
          status,
          targetWorkspaceId,
          JSON.stringify(resource),
          signedIn?.actor ?? null,
          signedIn?.actorName ?? null,
        ],
      ),
    );
  }

  /** Removes the entry of a change that was rejected. */
  async discard(id: string): Promise<void> {
    await acrossWorkspaces(() =>
      this.dataSource.query(
        `${WITHOUT_WAITING} DELETE FROM audit_entries USING setting WHERE id = $1 AND sequence IS NULL`,
        [id],
      ),
    );
  }

  /** Entries after a position, newest first. */
  list(
    { workspaceId, actor, action }: AuditFilter,
    after: TimePosition | null,
    limit: number,
  ): Promise<ListedEntry[]> {
    return this.dataSource.query(
      `SELECT id, recorded_at AS "recordedAt", recorded_at::text AS position, actor, actor_name AS "actorName", ip, action,
         target_workspace_id AS "targetWorkspaceId", resource, fields, status, request_id AS "requestId", sequence, hash
       FROM audit_entries
       WHERE ($1::uuid IS NULL OR target_workspace_id = $1)
         AND ($2::timestamptz IS NULL OR (recorded_at, id) < ($2::timestamptz, $3::uuid))
         AND ($5::text IS NULL OR actor = $5) AND ($6::text IS NULL OR action = $6)
       ORDER BY recorded_at DESC, id DESC LIMIT $4`,
      [workspaceId ?? null, after?.time ?? null, after?.id ?? null, limit, actor ?? null, action ?? null],
    );
  }
}
