import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Platforms can have a stream of all posts. The tables hold ids for the whole installation and no workspaces' data. */
export class Streams1800000090000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE stream_cursors (
      source text PRIMARY KEY,
      position text,
      holder uuid,
      lease_until timestamptz)`);
    await runner.query(`CREATE TABLE stream_topics (
      source text NOT NULL,
      topic text NOT NULL,
      wanted_since timestamptz NOT NULL DEFAULT now(),
      wanted_until timestamptz NOT NULL,
      PRIMARY KEY (source, topic))`);
    await runner.query(`CREATE TABLE stream_posts (
      source text NOT NULL,
      topic text NOT NULL,
      id text NOT NULL,
      position bigserial NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (source, topic, id))`);
    await runner.query('CREATE INDEX stream_posts_newest ON stream_posts (source, topic, position)');
    await runner.query('CREATE INDEX stream_posts_of_id ON stream_posts (source, id)');
    await runner.query('CREATE INDEX stream_posts_oldest ON stream_posts (position)');
    await runner.query(`CREATE TABLE stream_deletions (
      id text NOT NULL,
      is_account boolean NOT NULL,
      seen_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (id, is_account))`);
    await runner.query('CREATE INDEX stream_deletions_seen_at ON stream_deletions (seen_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE stream_deletions, stream_posts, stream_topics, stream_cursors');
  }
}
