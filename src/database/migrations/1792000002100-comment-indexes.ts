import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The forum of a comment's post, computed as in the filter by forum. */
const FORUM = `(CASE WHEN post_permalink LIKE '/user/%' THEN 'u_' ELSE '' END || split_part(post_permalink, '/', 3))`;

/**
 * Indexes comments by each sort key and by forum. Without these indexes a page reads every comment of the workspace.
 */
export class CommentIndexes1792000002100 implements MigrationInterface {
  name = 'CommentIndexes1792000002100';

  async up(runner: QueryRunner): Promise<void> {
    for (const column of ['score', 'sentiment_score'])
      await runner.query(`CREATE INDEX comments_by_${column} ON comments (workspace_id, ${column}, id)`);
    await runner.query(
      `CREATE INDEX comments_by_forum ON comments (workspace_id, lower(${FORUM}), created_utc, id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['forum', 'sentiment_score', 'score'])
      await runner.query(`DROP INDEX comments_by_${column}`);
  }
}
