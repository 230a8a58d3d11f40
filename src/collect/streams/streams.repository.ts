import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { beginsWith } from '../../database/stored-ids.js';
import { SEARCH_TOPIC, type StreamBatch } from '../../platforms/stream-batch.js';
import type { StreamDeletion } from './stream-deletion.entity.js';

/** Topics of one source that are kept at most. */
const MAX_TOPICS = 10_000;
/** A topic that no job has read for this long is no longer kept, and neither are older posts. */
const KEPT = "interval '30 days'";
/** Ids of posts that are kept at most; the oldest are dropped. */
const MAX_POSTS = 2_000_000;
const PRUNED_AT_ONCE = 5_000;

/** Where reading begins: the stored position, or the time since when the oldest topic or listener is wanted. */
export interface StreamStart {
  position: string | null;
  since: Date;
  /** When the newest event that was read happened. */
  newestAt: Date | null;
}

/** Whether a topic is wanted, or anyone listens to the source `$1`. */
const IS_WANTED = `(EXISTS (SELECT FROM stream_topics WHERE source = $1 AND wanted_until > now())
  OR EXISTS (SELECT FROM listeners WHERE source = $1))`;

/** Posts and deletions from streams, for all workspaces. */
@Injectable()
export class StreamsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** What is wanted, or listened to, and read by no process other than `holder`. */
  async wanted(holder: string): Promise<string[]> {
    const rows = await this.dataSource.query<{ source: string }[]>(
      `SELECT source FROM (SELECT source FROM listeners
         UNION SELECT source FROM stream_topics WHERE wanted_until > now()) AS wanted
       WHERE NOT EXISTS (SELECT FROM stream_cursors AS held
         WHERE held.source = wanted.source AND held.holder <> $1 AND held.lease_until > clock_timestamp())
       ORDER BY source`,
      [holder],
    );
    return rows.map(({ source }) => source);
  }

  /** Makes `holder` the only reader of a stream; null while another one is, or nothing is wanted. */
  async claim(source: string, holder: string, leaseMs: number): Promise<StreamStart | null> {
    await this.dataSource.query('INSERT INTO stream_cursors (source) VALUES ($1) ON CONFLICT DO NOTHING', [
      source,
    ]);
    const [rows] = await this.dataSource.query<[StreamStart[], number]>(
      `UPDATE stream_cursors SET holder = $2, lease_until = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE source = $1 AND (holder = $2 OR holder IS NULL OR lease_until < clock_timestamp())
         AND ${IS_WANTED}
       RETURNING position, newest_at AS "newestAt", least(
         (SELECT min(wanted_since) FROM stream_topics WHERE source = $1 AND wanted_until > now()),
         (SELECT min(since) FROM listeners WHERE source = $1)) AS since`,
      [source, holder, leaseMs],
    );
    return rows[0] ?? null;
  }

  /**
   * Stores a batch, the position after it and a longer lease; `read` is its number of texts that were not read before. Returns
   * false, and stores nothing, when another process has become the reader or nothing is wanted any more.
   */
  async store(
    source: string,
    holder: string,
    batch: StreamBatch & { read: number },
    leaseMs: number,
    tx: EntityManager,
  ): Promise<boolean> {
    const [held] = await tx.query<[unknown[], number]>(
      `UPDATE stream_cursors SET position = COALESCE($3, position), read = read + $5,
         newest_at = greatest(newest_at, $6), refusal = NULL,
         lease_until = clock_timestamp() + $4 * interval '1 millisecond'
       WHERE source = $1 AND holder = $2 AND ${IS_WANTED}
       RETURNING source`,
      [source, holder, batch.position, leaseMs, batch.read, batch.newestAt],
    );
    if (held.length === 0) return false;
    if (batch.gap !== undefined)
      await tx.query(
        'INSERT INTO stream_gaps (source, from_at, to_at, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [source, batch.gap.from, batch.gap.to, batch.gap.reason],
      );
    const pairs = batch.posts.flatMap(({ id, topics }) => topics.map((topic) => [id, topic] as const));
    if (pairs.length > 0)
      await tx.query(
        `INSERT INTO stream_posts (source, topic, id)
         SELECT $1, topic, id FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS new (id, topic, place)
         WHERE EXISTS (SELECT FROM stream_topics AS wanted
           WHERE wanted.source = $1 AND wanted.topic = new.topic AND wanted.wanted_until > now())
         ORDER BY place ON CONFLICT DO NOTHING`,
        [source, pairs.map(([id]) => id), pairs.map(([, topic]) => topic)],
      );
    for (const [ids, isAccount] of [
      [batch.gone, false],
      [batch.goneAccounts, true],
    ] as const) {
      if (ids.length === 0) continue;
      await tx.query(
        `INSERT INTO stream_deletions (id, is_account) SELECT DISTINCT id, $2::boolean FROM unnest($1::text[]) AS id
         ON CONFLICT (id, is_account) DO UPDATE SET seen_at = now()`,
        [ids, isAccount],
      );
      await tx.query(
        isAccount
          ? `DELETE FROM stream_posts USING unnest($2::text[]) AS beginning
             WHERE source = $1 AND ${beginsWith('stream_posts.id', 'beginning')}`
          : 'DELETE FROM stream_posts WHERE source = $1 AND id = ANY ($2)',
        [source, ids],
      );
    }
    return true;
  }

  /** Lets another process become the reader at once; `refusal` is why the source refuses to be read. */
  async release(source: string, holder: string, refusal: string | null): Promise<void> {
    await this.dataSource.query(
      `UPDATE stream_cursors SET holder = NULL, lease_until = NULL, refusal = $3,
         position = CASE WHEN ${IS_WANTED} THEN position END, newest_at = CASE WHEN ${IS_WANTED} THEN newest_at END
       WHERE source = $1 AND holder = $2`,
      [source, holder, refusal],
    );
  }

  /** Keeps posts with a topic from now on, for one more workspace. Returns false when too many topics are kept. */
  async want(workspaceId: string, source: string, topic: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `INSERT INTO stream_topics (source, topic, wanted_until, wanted_by) SELECT $1, $2, now() + ${KEPT}, $3::uuid
       WHERE (SELECT count(*) FROM stream_topics WHERE source = $1 AND topic <> $2) < ${MAX_TOPICS}
       ON CONFLICT (source, topic) DO UPDATE SET wanted_until = EXCLUDED.wanted_until,
         wanted_by = CASE WHEN stream_topics.wanted_by = EXCLUDED.wanted_by THEN EXCLUDED.wanted_by END
       RETURNING topic`,
      [source, topic, workspaceId],
    );
    return rows.length > 0;
  }

  /** The wanted topics whose posts a query chooses, of all sources. */
  searches(): Promise<{ source: string; topic: string }[]> {
    return this.dataSource.query(
      `SELECT source, topic FROM stream_topics WHERE starts_with(topic, '${SEARCH_TOPIC}') AND wanted_until > now()
       ORDER BY 1, 2`,
    );
  }

  /**
   * Removes posts, and those whose ids have one of the beginnings, from the topics that only this workspace wants: jobs of
   * others still list theirs.
   */
  async forget(workspaceId: string, ids: readonly string[], beginnings: readonly string[]): Promise<void> {
    const isOwn = `EXISTS (SELECT FROM stream_topics AS wanted WHERE wanted.source = stream_posts.source
      AND wanted.topic = stream_posts.topic AND wanted.wanted_by = $1)`;
    await this.dataSource.query(`DELETE FROM stream_posts WHERE id = ANY ($2) AND ${isOwn}`, [
      workspaceId,
      ids,
    ]);
    await this.dataSource.query(
      `DELETE FROM stream_posts USING unnest($2::text[]) AS beginning
       WHERE ${beginsWith('stream_posts.id', 'beginning')} AND ${isOwn}`,
      [workspaceId, beginnings],
    );
  }

  /** Posts with a topic that were stored before a position (null: the newest), the newest first. */
  list(
    source: string,
    topic: string,
    before: string | null,
    limit: number,
  ): Promise<{ id: string; position: string }[]> {
    return this.dataSource.query(
      `SELECT id, position::text FROM stream_posts
       WHERE source = $1 AND topic = $2 AND ($3::bigint IS NULL OR position < $3::bigint)
       ORDER BY stream_posts.position DESC LIMIT $4`,
      [source, topic, before, limit],
    );
  }

  /** The oldest deletions that are not overwritten everywhere, after a time for jobs that were storing such a post. */
  listDeletions(limit: number): Promise<StreamDeletion[]> {
    return this.dataSource.query(
      `SELECT id, is_account AS "isAccount", seen_at AS "seenAt" FROM stream_deletions WHERE seen_at < now() - interval '5 seconds' ORDER BY seen_at, id LIMIT $1`,
      [limit],
    );
  }

  /** Removes deletions that are overwritten everywhere, unless they were reported again since. */
  async removeDeletions(deletions: readonly StreamDeletion[]): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM stream_deletions USING jsonb_to_recordset($1::jsonb) AS done (id text, "isAccount" boolean, "seenAt" timestamptz)
       WHERE stream_deletions.id = done.id AND is_account = done."isAccount"
         AND seen_at < done."seenAt" + interval '1 millisecond'`,
      [JSON.stringify(deletions)],
    );
  }

  /** Drops outdated rows. Returns whether there may be more. */
  async prune(): Promise<boolean> {
    await this.dataSource.query('DELETE FROM stream_topics WHERE wanted_until < now()');
    await this.dataSource.query(
      `UPDATE stream_cursors SET position = NULL WHERE position IS NOT NULL
         AND NOT EXISTS (SELECT FROM stream_topics WHERE stream_topics.source = stream_cursors.source)
         AND NOT EXISTS (SELECT FROM listeners WHERE listeners.source = stream_cursors.source)`,
    );
    await this.dataSource.query(`DELETE FROM stream_gaps WHERE to_at < now() - ${KEPT}`);
    const [, count] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM stream_posts WHERE position IN (
         SELECT position FROM stream_posts
         WHERE seen_at < now() - ${KEPT} OR position <= (SELECT max(position) FROM stream_posts) - ${MAX_POSTS}
         ORDER BY position LIMIT ${PRUNED_AT_ONCE})`,
    );
    return count >= PRUNED_AT_ONCE;
  }
}
