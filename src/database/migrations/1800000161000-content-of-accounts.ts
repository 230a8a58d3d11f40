import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an account wrote is found by the beginning of its ids, for sources whose stream reports accounts that are gone. The
 * indexes hold the rows of such sources only.
 */
export class ContentOfAccounts1800000161000 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(
      "CREATE INDEX CONCURRENTLY posts_of_accounts ON posts (id text_pattern_ops) WHERE starts_with(id, 'bs_')",
    );
    await runner.query(
      "CREATE INDEX CONCURRENTLY comments_of_accounts ON comments (comment_id text_pattern_ops) WHERE starts_with(comment_id, 'bs_')",
    );
    await runner.query(
      'CREATE INDEX CONCURRENTLY stream_posts_of_accounts ON stream_posts (id text_pattern_ops)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['posts', 'comments', 'stream_posts'])
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_of_accounts`);
  }
}
