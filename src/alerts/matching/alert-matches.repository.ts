import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { KEPT } from './match-state.js';
import { COMMENT_PREFIX } from '../../content/comments/comment-keys.js';

const IS_POST = `NOT starts_with(post_id, '${COMMENT_PREFIX}')`;

/** A match to be recorded. */
export interface NewMatch {
  alertId: string;
  /** Id of a post, or the result of `keyOfComment`. */
  postId: string;
  keywords: string[];
}

/** What is known of a match's relevance. */
export interface Scored {
  /** Null while its alert has learned nothing. */
  relevance: number | null;
}

/** A match with its relevance, and whether it waits for a second reading before it is sent. */
export interface ScoredMatch extends NewMatch, Scored {
  isWaiting: boolean;
}

/** A match that was not recorded before. */
export interface FreshMatch {
  id: string;
  alertId: string;
  postId: string;
}

/** A match that is held back no longer. */
export interface ReleasedMatch extends NewMatch {
  /** Number of matches that are folded into it. */
  duplicates: number;
}

/** A recorded match. */
export interface MatchRow {
  postId: string;
  /** The job that stored the post. */
  jobId: string;
  matchedAt: Date;
  keywords: string[];
}

/** Which posts and comments matched which alert, each pair once. */
@Injectable()
export class AlertMatchesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Inserts matches; returns those that were not already recorded. */
  async insert(
    workspaceId: string,
    jobId: string,
    matches: readonly (NewMatch & Partial<ScoredMatch>)[],
    tx: EntityManager,
  ): Promise<FreshMatch[]> {
    if (matches.length === 0) return [];
    return tx.query(
      `INSERT INTO alert_matches (workspace_id, alert_id, post_id, job_id, keywords, relevance, reading_due_at)
       SELECT $1, match."alertId", match."postId", $2, match.keywords, match.relevance,
         CASE WHEN match."isWaiting" THEN now() END
       FROM json_to_recordset($3) AS match ("alertId" uuid, "postId" text, keywords text[], relevance real, "isWaiting" boolean)
       ORDER BY match."alertId", match."postId"
       ON CONFLICT (workspace_id, alert_id, post_id) DO NOTHING
       RETURNING id, alert_id AS "alertId", post_id AS "postId"`,
      [workspaceId, jobId, JSON.stringify(matches)],
    );
  }

  /** A page of an alert's matched posts, newest first. */
  list(workspaceId: string, alertId: string, page: { limit: number; offset: number }): Promise<MatchRow[]> {
    return this.dataSource.query(
      `SELECT post_id AS "postId", job_id AS "jobId", matched_at AS "matchedAt", keywords
       FROM alert_matches WHERE workspace_id = $1 AND alert_id = $2 AND ${IS_POST}
       ORDER BY matched_at DESC, post_id DESC LIMIT $3 OFFSET $4`,
      [workspaceId, alertId, page.limit, page.offset],
    );
  }

  /**
   * Deletes up to `limit` matches older than `days` that are not kept; returns how many. Goes alert by alert, because an index on the
   * time of matches alone would slow every insert, and workspace by workspace, because a sharded database stores
   * workspaces in different places. Crosses workspaces.
   */
  async deleteOlderThan(days: number, limit: number): Promise<number> {
    const owners = await this.dataSource.query<{ workspaceId: string; alertIds: string[] }[]>(
      'SELECT workspace_id AS "workspaceId", array_agg(id) AS "alertIds" FROM alerts GROUP BY workspace_id',
    );
    let total = 0;
    for (const { workspaceId, alertIds } of owners) {
      const [, deleted] = await this.dataSource.query<[unknown[], number]>(
        `DELETE FROM alert_matches WHERE workspace_id = $1 AND (alert_id, post_id) IN (
           SELECT old.alert_id, old.post_id FROM unnest($2::uuid[]) AS alert (id) CROSS JOIN LATERAL (
             SELECT alert_id, post_id, matched_at FROM alert_matches
             WHERE workspace_id = $1 AND alert_id = alert.id AND matched_at < now() - $3 * interval '1 day'
               AND state <> '${KEPT}'
             ORDER BY matched_at LIMIT $4
           ) AS old ORDER BY old.matched_at LIMIT $4)`,
        [workspaceId, alertIds, days, limit - total],
      );
      total += deleted;
      if (total === limit) break;
    }
    return total;
  }

  /**
   * Deletes all matches of records, named as {@link NewMatch} does, and the keys of their stories; returns how many matches.
   */
  async deleteOf(workspaceId: string, ids: readonly string[], tx: EntityManager): Promise<number> {
    // Naming the alerts lets the primary key find the matches.
    const alerts = await tx.query<{ id: string }[]>('SELECT id FROM alerts WHERE workspace_id = $1', [
      workspaceId,
    ]);
    const alertIds = alerts.map(({ id }) => id);
    const [deleted] = await tx.query<[{ id: string; foldedInto: string | null }[], number]>(
      `DELETE FROM alert_matches WHERE workspace_id = $1 AND alert_id = ANY ($2) AND post_id = ANY ($3)
       RETURNING id, folded_into AS "foldedInto"`,
      [workspaceId, alertIds, ids],
    );
    // Reposts that were folded into them stand for themselves now.
    if (deleted.length > 0)
      await tx.query(
        `UPDATE alert_matches SET folded_into = NULL
         WHERE workspace_id = $1 AND alert_id = ANY ($2) AND folded_into = ANY ($3)`,
        [workspaceId, alertIds, deleted.map(({ id }) => id)],
      );
    const targets = deleted.map(({ foldedInto }) => foldedInto).filter((id) => id !== null);
    if (targets.length > 0)
      await tx.query(
        `UPDATE alert_matches SET duplicates = greatest(0, duplicates - folded.count)
         FROM (SELECT id, count(*)::int AS count FROM unnest($3::uuid[]) AS id GROUP BY id) AS folded
         WHERE workspace_id = $1 AND alert_id = ANY ($2) AND alert_matches.id = folded.id`,
        [workspaceId, alertIds, targets],
      );
    await tx.query('DELETE FROM alert_story_keys WHERE workspace_id = $1 AND record_id = ANY ($2)', [
      workspaceId,
      ids,
    ]);
    return deleted.length;
  }

  /** Number of an alert's matched posts. */
  async count(workspaceId: string, alertId: string): Promise<number> {
    const [row] = await this.dataSource.query<[{ total: number }]>(
      `SELECT count(*)::int AS total FROM alert_matches
       WHERE workspace_id = $1 AND alert_id = $2 AND ${IS_POST}`,
      [workspaceId, alertId],
    );
    return row.total;
  }
}
