import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { acrossWorkspaces } from '../../common/work-scope.js';
import type { TimePosition } from '../../http/pages/time-cursor.js';
import type { AuditEntry } from './audit-entry.entity.js';

/** The part of an entry that is known before the change. */
export type NewAuditEntry = Omit<AuditEntry, 'recordedAt' | 'status' | 'sequence' | 'hash' | 'details'>;

/** The part of an entry that is known after the change. */
export interface AuditOutcome extends Pick<AuditEntry, 'status' | 'targetWorkspaceId' | 'resource'> {
  /** Who a request that signs in turned out to be. */
  signedIn?: Pick<AuditEntry, 'actor' | 'actorName'>;
  details?: AuditEntry['details'];
}

/** Which entries to list; without a value, all. */
export interface AuditFilter {
  workspaceId?: string | undefined;
  actor?: AuditEntry['actor'] | undefined;
  action?: string | undefined;
  /** Inclusive and exclusive end of the period, in ISO 8601. */
  from?: string | undefined;
  to?: string | undefined;
  /** Part of any text of an entry, in any case. */
  q?: string | undefined;
  /** Names of actors that are found as well. */
  actorNames?: readonly string[];
  /** Whether names and addresses of operators are left out. */
  forOwner?: boolean;
}

/** An entry in a list, with its timestamp as Postgres formats it. */
export type ListedEntry = AuditEntry & { position: string };

/**
 * The statement does not wait for the disk. The entry is written before its change, and Postgres flushes its log in
 * order: once the change is on disk, so is the entry.
 */
const WITHOUT_WAITING = `WITH setting AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/** SQL for the values before and after the changes of an entry. */
const CHANGED_VALUES = `(SELECT string_agg(concat_ws(' ', change->>'before', change->>'after'), ' ')
  FROM jsonb_array_elements(details->'changes') AS change)`;

/**
 * Reads and writes `audit_entries`. Requests may only insert: later work and lists run outside their workspace, and
 * nothing changes the sealed part of an entry.
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

  async finish(
    id: string,
    { status, targetWorkspaceId, resource, signedIn, details = null }: AuditOutcome,
  ): Promise<void> {
    await acrossWorkspaces(() =>
      this.dataSource.query(
        `${WITHOUT_WAITING}
         UPDATE audit_entries SET status = $2, target_workspace_id = coalesce(target_workspace_id, $3), resource = resource || $4,
           actor = coalesce($5, actor), actor_name = coalesce($6, actor_name), details = $7
         FROM setting WHERE id = $1 AND sequence IS NULL`,
        [
          id,
          status,
          targetWorkspaceId,
          JSON.stringify(resource),
          signedIn?.actor ?? null,
          signedIn?.actorName ?? null,
          details && JSON.stringify(details),
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

  /** Clears what entries know of records besides the sealed facts: all of it, or where a text occurs. */
  async clearDetails(workspaceId: string, text: string | null): Promise<void> {
    await acrossWorkspaces(() =>
      this.dataSource.query(
        `UPDATE audit_entries SET details = NULL WHERE target_workspace_id = $1 AND details IS NOT NULL
           AND ($2::text IS NULL OR position(lower($2) IN lower(details::text)) > 0)`,
        [workspaceId, text && JSON.stringify(text).slice(1, -1)],
      ),
    );
  }

  /** Entries after a position, newest first. */
  list(filter: AuditFilter, after: TimePosition | null, limit: number): Promise<ListedEntry[]> {
    const { workspaceId, actor, action, from, to, q, actorNames = [], forOwner = false } = filter;
    const shown = (column: string): string =>
      forOwner ? `CASE WHEN actor = 'api_key' THEN ${column} END` : column;
    return acrossWorkspaces(() =>
      this.dataSource.query(
        `SELECT id, recorded_at AS "recordedAt", recorded_at::text AS position, actor, ${shown('actor_name')} AS "actorName",
           ${shown('ip')} AS ip, action, target_workspace_id AS "targetWorkspaceId", resource, fields, status,
           request_id AS "requestId", sequence, hash, details
         FROM audit_entries
         WHERE ($1::uuid IS NULL OR target_workspace_id = $1)
           AND ($2::timestamptz IS NULL OR (recorded_at, id) < ($2::timestamptz, $3::uuid))
           AND ($5::text IS NULL OR actor = $5) AND ($6::text IS NULL OR action = $6)
           AND ($7::timestamptz IS NULL OR recorded_at >= $7) AND ($8::timestamptz IS NULL OR recorded_at < $8)
           AND ($9::text IS NULL OR actor_name = ANY($10) OR position(lower($9) IN
             lower(concat_ws(' ', action, ${shown('actor_name')}, ${shown('ip')}, array_to_string(fields, ' '),
               resource, details->>'name', ${CHANGED_VALUES}))) > 0)
         ORDER BY recorded_at DESC, id DESC LIMIT $4`,
        [
          workspaceId ?? null,
          after?.time ?? null,
          after?.id ?? null,
          limit,
          actor ?? null,
          action ?? null,
          from ?? null,
          to ?? null,
          q ?? null,
          actorNames,
        ],
      ),
    );
  }
}
