import type { UpsertHistory } from '../../database/record-upsert.js';

/**
 * Records changed scores of existing posts in the statement that stores them. The first change also records the
 * previous values, so that posts that never change cost no row. Rows older than two days are reduced to the last one
 * per hour, rows older than thirty days to the last one per day.
 */
export const SCORE_HISTORY: UpsertHistory = {
  columns: ['score', 'upvote_ratio', 'num_comments', 'scraped_at'],
  ctes: `changed AS (
      SELECT stored.*, before.score AS old_score, before.upvote_ratio AS old_ratio,
        before.num_comments AS old_comments, before.scraped_at AS old_time
      FROM stored JOIN before USING (id)
      WHERE (stored.score, stored.upvote_ratio, stored.num_comments)
        IS DISTINCT FROM (before.score, before.upvote_ratio, before.num_comments)
    ), recorded AS (
      INSERT INTO post_scores (workspace_id, post_id, seen_at, score, upvote_ratio, num_comments)
      SELECT $1::uuid, id, scraped_at, score, upvote_ratio, num_comments FROM changed
      UNION ALL
      SELECT $1::uuid, id, old_time, old_score, old_ratio, old_comments FROM changed
      WHERE old_time <> scraped_at AND NOT EXISTS (
        SELECT 1 FROM post_scores AS earlier WHERE earlier.workspace_id = $1 AND earlier.post_id = changed.id)
      ON CONFLICT (workspace_id, post_id, seen_at) DO UPDATE SET
        score = excluded.score, upvote_ratio = excluded.upvote_ratio, num_comments = excluded.num_comments
    ), thinned AS (
      DELETE FROM post_scores AS old USING changed
      WHERE old.workspace_id = $1 AND old.post_id = changed.id AND old.seen_at < now() - interval '2 days'
        AND EXISTS (
          SELECT 1 FROM post_scores AS later
          WHERE later.workspace_id = $1 AND later.post_id = old.post_id AND later.seen_at > old.seen_at
            AND later.seen_at < now() - interval '2 days'
            AND CASE WHEN old.seen_at < now() - interval '30 days'
              THEN ${periodOf('1 day', 'later.seen_at')} = ${periodOf('1 day', 'old.seen_at')}
              ELSE ${periodOf('1 hour', 'later.seen_at')} = ${periodOf('1 hour', 'old.seen_at')} END))`,
};

/** The start of a time's period in UTC. Citus allows only immutable functions of columns here. */
function periodOf(length: string, column: string): string {
  return `date_bin('${length}', ${column}, timestamptz 'epoch')`;
}
