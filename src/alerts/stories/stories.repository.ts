import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import type { FreshMatch } from '../matching/alert-matches.repository.js';
import { type Fold, MAX_RECORDS, type StoredKey } from './fold-stories.js';

/** How long a match takes up reposts of its story. */
const WINDOW = `interval '7 days'`;

/** The keys of matched records, and matches that are folded into others. */
@Injectable()
export class StoriesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The stored records with these keys, oldest first. */
  findKeys(workspaceId: string, keys: readonly string[], tx: EntityManager): Promise<StoredKey[]> {
    return tx.query(
      `SELECT stored.key::text AS key, stored.record_id AS "recordId", stored.language
       FROM unnest($2::bigint[]) AS wanted (key) CROSS JOIN LATERAL (
         SELECT key, record_id, language, stored_at FROM alert_story_keys
         WHERE workspace_id = $1 AND key = wanted.key AND stored_at > now() - ${WINDOW}
         ORDER BY stored_at, record_id LIMIT ${MAX_RECORDS}
       ) AS stored ORDER BY stored.stored_at, stored.record_id`,
      [workspaceId, keys],
    );
  }

  /** Stores keys of records. */
  async addKeys(workspaceId: string, keys: readonly StoredKey[], tx: EntityManager): Promise<void> {
    await tx.query(
      `INSERT INTO alert_story_keys (workspace_id, key, record_id, language)
       SELECT $1, one.key, one."recordId", one.language
       FROM json_to_recordset($2) AS one (key bigint, "recordId" text, language text)
       ORDER BY one.key, one."recordId" ON CONFLICT DO NOTHING`,
      [workspaceId, JSON.stringify(keys)],
    );
  }

  /** The matches of these alerts and records that are not folded themselves. */
  findTargets(
    workspaceId: string,
    wanted: readonly Pick<FreshMatch, 'alertId' | 'postId'>[],
    tx: EntityManager,
  ): Promise<FreshMatch[]> {
    return tx.query(
      `SELECT id, alert_id AS "alertId", post_id AS "postId" FROM alert_matches
       WHERE workspace_id = $1 AND folded_into IS NULL AND matched_at > now() - ${WINDOW}
         AND (alert_id, post_id) IN (
           SELECT "alertId", "postId" FROM json_to_recordset($2) AS wanted ("alertId" uuid, "postId" text))`,
      [workspaceId, JSON.stringify(wanted)],
    );
  }

  /** Folds matches into others, which count them. */
  async fold(workspaceId: string, folds: readonly Fold[], tx: EntityManager): Promise<void> {
    const parameters = [workspaceId, JSON.stringify(folds)];
    await tx.query(
      `UPDATE alert_matches SET folded_into = fold."into"
       FROM json_to_recordset($2) AS fold (id uuid, "into" uuid)
       WHERE alert_matches.workspace_id = $1 AND alert_matches.id = fold.id`,
      parameters,
    );
    await tx.query(
      `UPDATE alert_matches SET duplicates = duplicates + folded.count
       FROM (SELECT "into", count(*)::int AS count
         FROM json_to_recordset($2) AS fold (id uuid, "into" uuid) GROUP BY 1) AS folded
       WHERE alert_matches.workspace_id = $1 AND alert_matches.id = folded."into"`,
      parameters,
    );
  }

  /** Deletes up to `limit` keys that no match uses any more; returns how many. Crosses workspaces. */
  async deleteExpired(limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM alert_story_keys WHERE (workspace_id, key, record_id) IN (
         SELECT workspace_id, key, record_id FROM alert_story_keys
         WHERE stored_at < now() - ${WINDOW} LIMIT $1)`,
      [limit],
    );
    return deleted;
  }
}
