import type { MigrationInterface, QueryRunner } from 'typeorm';

const PATH_FORUM = `CASE WHEN post_permalink LIKE '/user/%' THEN 'u_' ELSE '' END || split_part(post_permalink, '/', 3)`;
const FORUM = `coalesce(forum, ${PATH_FORUM})`;
const columns = (forum: string): string => `comments (workspace_id, lower(${forum}), created_utc, id)`;

/** An index to read the comments of a forum in time order. Can be repeated after an interruption. */
export class CommentsByForum1792000090200 implements MigrationInterface {
  name = 'CommentsByForum1792000090200';
  /** `CREATE INDEX CONCURRENTLY`, which does not block writers, cannot run in a transaction. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted build leaves an invalid index.
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS comments_by_stored_forum');
    await runner.query(`CREATE INDEX CONCURRENTLY comments_by_stored_forum ON ${columns(FORUM)}`);
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS comments_by_forum');
    await runner.query('ALTER INDEX comments_by_stored_forum RENAME TO comments_by_forum');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX comments_by_forum');
    await runner.query(`CREATE INDEX comments_by_forum ON ${columns(`(${PATH_FORUM})`)}`);
  }
}
