import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { GoneReason } from '../../platforms/platform.js';
import { ContentRecheck, RECHECKED_KINDS, type RecheckedKind } from './content-recheck.entity.js';

/** One workspace's content of one kind from one source. */
export type RecheckKey = Pick<ContentRecheck, 'source' | 'kind'>;

/** The position where a pass continues after a batch, and the batch's results. */
export interface RecheckProgress extends Pick<
  ContentRecheck,
  'dueAt' | 'passStartedAt' | 'afterTime' | 'afterId'
> {
  checked: number;
  gone: Readonly<Record<GoneReason, number>>;
}

/** Passes over stored content. Callers supply all times, from one clock shared by all processes. */
@Injectable()
export class ContentRechecksRepository {
  constructor(@InjectRepository(ContentRecheck) private readonly rechecks: Repository<ContentRecheck>) {}

  /** Adds missing passes of the given workspaces, first due at `dueAt`. Crosses workspaces. */
  async addMissing(workspaceIds: readonly string[], sources: readonly string[], dueAt: Date): Promise<void> {
    await this.rechecks.query(
      `INSERT INTO content_rechecks (workspace_id, source, kind, due_at)
       SELECT workspace_id, source, kind, $4
       FROM unnest($1::uuid[]) AS workspace_id, unnest($2::text[]) AS source, unnest($3::text[]) AS kind
       ON CONFLICT (workspace_id, source, kind) DO NOTHING`,
      [workspaceIds, sources, RECHECKED_KINDS, dueAt],
    );
  }

  /**
   * Leases the longest-overdue pass of these sources, skipping the given workspaces; null when none is due. Crosses
   * workspaces.
   */
  async claim(
    sources: readonly string[],
    without: readonly string[],
    { now, leaseUntil }: { now: Date; leaseUntil: Date },
  ): Promise<ContentRecheck | null> {
    const [[key]] = await this.rechecks.query<
      [{ workspaceId: string; source: string; kind: RecheckedKind }[], number]
    >(
      `UPDATE content_rechecks AS claimed SET lease_until = $4 FROM (
         SELECT workspace_id, source, kind FROM content_rechecks
         WHERE due_at <= $3 AND (lease_until IS NULL OR lease_until <= $3)
           AND source = ANY ($1) AND workspace_id <> ALL ($2::uuid[])
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE (claimed.workspace_id, claimed.source, claimed.kind) = (due.workspace_id, due.source, due.kind)
       RETURNING claimed.workspace_id AS "workspaceId", claimed.source, claimed.kind`,
      [sources, without, now, leaseUntil],
    );
    return key === undefined ? null : this.rechecks.findOneBy(key);
  }

  /** Stores a batch's progress and ends the lease. */
  async save(
    workspaceId: string,
    { source, kind }: RecheckKey,
    { dueAt, passStartedAt, afterTime, afterId, checked, gone }: RecheckProgress,
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE content_rechecks SET due_at = $4, lease_until = NULL, pass_started_at = $5, after_time = $6, after_id = $7,
         checked = checked + $8, deleted = deleted + $9, removed = removed + $10, account_deleted = account_deleted + $11
       WHERE workspace_id = $1 AND source = $2 AND kind = $3`,
      [
        workspaceId,
        source,
        kind,
        dueAt,
        passStartedAt,
        afterTime,
        afterId,
        checked,
        gone.deleted,
        gone.removed,
        gone.account_deleted,
      ],
    );
  }

  /** Ends the lease after a failure; the batch is repeated at `dueAt`. */
  async postpone(workspaceId: string, { source, kind }: RecheckKey, dueAt: Date): Promise<void> {
    await this.rechecks.update({ workspaceId, source, kind }, { dueAt, leaseUntil: null });
  }
}
