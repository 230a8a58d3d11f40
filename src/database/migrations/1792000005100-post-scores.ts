import type { MigrationInterface, QueryRunner } from 'typeorm';

/** History of the scores, ratios and comment counts of posts. */
export class PostScores1792000005100 implements MigrationInterface {
  name = 'PostScores1792000005100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE post_scores (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        post_id text NOT NULL,
        seen_at timestamptz NOT NULL,
        score integer NOT NULL,
        upvote_ratio real NOT NULL,
        num_comments integer NOT NULL,
        PRIMARY KEY (workspace_id, post_id, seen_at)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE post_scores');
  }
}
