import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A saved search has a feed while it has the hash of the feed's token. */
export class FeedsOfSearches1800000092100 implements MigrationInterface {
  name = 'FeedsOfSearches1800000092100';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saved_searches ADD COLUMN IF NOT EXISTS feed_token_hash text');
    await runner.query(
      'CREATE INDEX CONCURRENTLY IF NOT EXISTS saved_searches_by_feed ON saved_searches (workspace_id, feed_token_hash)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE saved_searches DROP COLUMN feed_token_hash');
  }
}
