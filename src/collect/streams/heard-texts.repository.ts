import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { beginsWith } from '../../database/stored-ids.js';
import type { PlatformPost } from '../../platforms/platform.js';
import type { HeardState } from './heard-text.entity.js';

/** A stream that is read again begins at most this much earlier. */
const KEPT = "interval '3 days'";
const PRUNED_AT_ONCE = 5_000;
/** A worker that was killed loses its claim after this time. */
const CLAIM_MS = 60_000;
/** How often a text is tried to be read. */
export const MAX_ATTEMPTS = 10;

/** A text that matched, and for whom. */
export interface Heard {
  workspaceId: string;
  id: string;
  isComment: boolean;
  /** The whole post where the stream showed it. */
  post?: object | undefined;
  /** Of the workspace's listeners whose queries match. */
  listenerIds: string[];
}

/** A text that a worker is to read and store. */
export interface ClaimedText {
  workspaceId: string;
  id: string;
  isComment: boolean;
  attempts: number;
  /** As the stream showed it at `seenAt`; null when it is to be read. */
  post: PlatformPost | null;
  seenAt: Date;
}

/** Texts that were heard, once for each workspace, until long after they are stored. */
@Injectable()
export class HeardTextsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Adds texts, which were read now or at a time before; returns those that the workspaces had not heard before. */
  async add(
    source: string,
    heard: readonly Heard[],
    readAt: Date | null,
    tx: EntityManager,
  ): Promise<Heard[]> {
    const rows = await tx.query<Omit<Heard, 'listenerIds'>[]>(
      `INSERT INTO heard_texts (workspace_id, source, id, is_comment, post, seen_at)
       SELECT "workspaceId", $1, id, "isComment", post, least(now(), $3)
       FROM json_to_recordset($2) AS heard ("workspaceId" uuid, id text, "isComment" boolean, post json)
       ORDER BY 1, 3, 4 ON CONFLICT DO NOTHING RETURNING workspace_id AS "workspaceId", id, is_comment AS "isComment"`,
      [source, JSON.stringify(heard), readAt],
    );
    const keyOf = ({ workspaceId, id, isComment }: Omit<Heard, 'listenerIds'>): string =>
      `${workspaceId} ${id} ${isComment}`;
    const added = new Set(rows.map(keyOf));
    // One batch may have the same text twice.
    return heard.filter((one) => added.delete(keyOf(one)));
  }

  /** Lets workers read stored texts again, of all workspaces: their sources show other words now. */
  async readAgain(
    source: string,
    edited: readonly { id: string; isComment: boolean; post?: object }[],
    readAt: Date | null,
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `UPDATE heard_texts SET state = 'waiting', attempts = 0, claimed_until = NULL, post = edited.post,
         seen_at = least(now(), $3)
       FROM json_to_recordset($2) AS edited (id text, "isComment" boolean, post json)
       WHERE source = $1 AND heard_texts.id = edited.id AND is_comment = "isComment" AND state IN ('stored', 'waiting')`,
      [source, JSON.stringify(edited), readAt],
    );
  }

  /** Sets the state of texts of a workspace, but of those that were edited after they were claimed. */
  async settle(
    workspaceId: string,
    texts: readonly Pick<Heard, 'id' | 'isComment'>[],
    state: HeardState,
    tx: EntityManager,
  ): Promise<void> {
    if (texts.length === 0) return;
    await tx.query(
      `UPDATE heard_texts SET state = $4, claimed_until = NULL, post = NULL
       FROM unnest($2::text[], $3::boolean[]) AS settled (id, is_comment)
       WHERE workspace_id = $1 AND heard_texts.id = settled.id AND heard_texts.is_comment = settled.is_comment
         AND state = 'waiting' AND (attempts > 0 OR $4 = 'unstored')`,
      [workspaceId, texts.map(({ id }) => id), texts.map(({ isComment }) => isComment), state],
    );
  }

  /** Claims the texts of a source that wait longest, by up to `limit` ids, for all workspaces that wait for them. */
  async claim(source: string, limit: number): Promise<ClaimedText[]> {
    const [rows] = await this.dataSource.query<[ClaimedText[], number]>(
      `UPDATE heard_texts SET claimed_until = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond',
         attempts = attempts + 1
       WHERE source = $1 AND state = 'waiting' AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
         AND id IN (SELECT id FROM heard_texts WHERE source = $1 AND state = 'waiting'
           AND (claimed_until IS NULL OR claimed_until < clock_timestamp()) ORDER BY seen_at, id LIMIT $2)
       RETURNING workspace_id AS "workspaceId", id, is_comment AS "isComment", attempts, post,
         seen_at AS "seenAt"`,
      [source, limit],
    );
    return rows.map(({ post, ...text }) => ({
      ...text,
      post: post && { ...post, createdUtc: new Date(post.createdUtc) },
    }));
  }

  /** The sources of which texts wait. */
  async waitingSources(): Promise<string[]> {
    const rows = await this.dataSource.query<{ source: string }[]>(
      `SELECT DISTINCT source FROM heard_texts
       WHERE state = 'waiting' AND (claimed_until IS NULL OR claimed_until < clock_timestamp())`,
    );
    return rows.map(({ source }) => source);
  }

  /** Removes waiting texts, and those whose ids have one of the beginnings, of all workspaces: they are gone. */
  async forget(ids: readonly string[], beginnings: readonly string[], tx: EntityManager): Promise<void> {
    if (ids.length > 0)
      await tx.query(`DELETE FROM heard_texts WHERE id = ANY ($1) AND state = 'waiting'`, [ids]);
    if (beginnings.length > 0)
      await tx.query(
        `DELETE FROM heard_texts USING unnest($1::text[]) AS beginning
         WHERE ${beginsWith('heard_texts.id', 'beginning')} AND state = 'waiting'`,
        [beginnings],
      );
  }

  /** Removes texts of a workspace in any state, and those whose ids have one of the beginnings. */
  async erase(workspaceId: string, ids: readonly string[], beginnings: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM heard_texts WHERE workspace_id = $1 AND (id = ANY ($2)
         OR EXISTS (SELECT FROM unnest($3::text[]) AS beginning WHERE ${beginsWith('heard_texts.id', 'beginning')}))`,
      [workspaceId, ids, beginnings],
    );
  }

  /** Drops outdated rows. Returns whether there may be more. */
  async prune(): Promise<boolean> {
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM heard_texts WHERE (workspace_id, id, is_comment) IN (
         SELECT workspace_id, id, is_comment FROM heard_texts WHERE seen_at < now() - ${KEPT}
         ORDER BY seen_at LIMIT ${PRUNED_AT_ONCE})`,
    );
    return count >= PRUNED_AT_ONCE;
  }
}
