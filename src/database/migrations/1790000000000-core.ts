import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Workspaces, keys, jobs, posts, comments and the outbox. The primary key of every tenant table begins with
 * workspace_id, so that tables can be sharded by it; lists use keyset pagination, so each sort order has its index.
 */
export class Core1790000000000 implements MigrationInterface {
  name = 'Core1790000000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE EXTENSION IF NOT EXISTS btree_gin');

    await runner.query(`
      CREATE TABLE workspaces (
        id uuid PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);

    await runner.query(`
      CREATE TABLE api_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        key_prefix text NOT NULL,
        key_hash bytea NOT NULL,
        scopes text[] NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, id)
      )`);
    // The only lookup without a workspace, because it finds the workspace.
    await runner.query('CREATE UNIQUE INDEX api_keys_key_hash ON api_keys (key_hash)');

    await runner.query(`
      CREATE TABLE jobs (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        target text NOT NULL,
        target_type text NOT NULL,
        mode text NOT NULL,
        config jsonb NOT NULL DEFAULT '{}',
        post_limit integer NOT NULL,
        download_media boolean NOT NULL,
        scrape_comments boolean NOT NULL,
        plugins text[] NOT NULL DEFAULT '{}',
        schedule_id uuid,
        status text NOT NULL DEFAULT 'pending'
          CHECK (status IN ('pending', 'running', 'completed', 'cancelled', 'failed')),
        started_at timestamptz,
        completed_at timestamptz,
        posts_scraped integer NOT NULL DEFAULT 0,
        comments_scraped integer NOT NULL DEFAULT 0,
        media_downloaded integer NOT NULL DEFAULT 0,
        error_code text,
        error_message text,
        progress jsonb NOT NULL DEFAULT '{}',
        checkpoint jsonb,
        lease_owner text,
        lease_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, id)
      )`);
    await runner.query('CREATE INDEX jobs_newest ON jobs (workspace_id, created_at, id)');
    await runner.query('CREATE INDEX jobs_newest_by_status ON jobs (workspace_id, status, created_at, id)');
    await runner.query(
      `CREATE INDEX jobs_unfinished ON jobs (lease_until) WHERE status IN ('pending', 'running')`,
    );

    // A job's work list: the posts it stored and whose comments it still has to read. Emptied when the job ends.
    await runner.query(`
      CREATE TABLE job_posts (
        workspace_id uuid NOT NULL,
        job_id uuid NOT NULL,
        post_id text NOT NULL,
        position integer NOT NULL,
        comments_pending boolean NOT NULL,
        PRIMARY KEY (workspace_id, job_id, post_id),
        FOREIGN KEY (workspace_id, job_id) REFERENCES jobs (workspace_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX job_posts_pending ON job_posts (workspace_id, job_id, position) WHERE comments_pending',
    );

    await runner.query(`
      CREATE TABLE posts (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id text NOT NULL,
        forum text NOT NULL,
        title text NOT NULL,
        author text NOT NULL,
        created_utc timestamptz NOT NULL,
        permalink text NOT NULL,
        url text,
        score integer NOT NULL,
        upvote_ratio double precision NOT NULL,
        num_comments integer NOT NULL,
        selftext text NOT NULL,
        post_type text NOT NULL CHECK (post_type IN ('link', 'self', 'image', 'video')),
        is_nsfw boolean NOT NULL,
        is_spoiler boolean NOT NULL,
        flair text NOT NULL,
        total_awards integer NOT NULL,
        has_media boolean NOT NULL,
        media_urls text[] NOT NULL,
        sentiment_score double precision NOT NULL,
        sentiment_label text NOT NULL CHECK (sentiment_label IN ('positive', 'negative', 'neutral')),
        keywords text[] NOT NULL,
        scraped_at timestamptz NOT NULL,
        search tsvector NOT NULL GENERATED ALWAYS AS (
          setweight(to_tsvector('english'::regconfig, title), 'A')
          || setweight(to_tsvector('english'::regconfig, selftext), 'B')
        ) STORED,
        PRIMARY KEY (workspace_id, id)
      )`);
    for (const column of [
      'created_utc',
      'score',
      'num_comments',
      'upvote_ratio',
      'sentiment_score',
      'scraped_at',
    ])
      await runner.query(`CREATE INDEX posts_by_${column} ON posts (workspace_id, ${column}, id)`);
    await runner.query('CREATE INDEX posts_by_forum ON posts (workspace_id, lower(forum), created_utc, id)');
    await runner.query(
      'CREATE INDEX posts_by_author ON posts (workspace_id, lower(author), created_utc, id)',
    );
    await runner.query('CREATE INDEX posts_search ON posts USING gin (workspace_id, search)');

    await runner.query(`
      CREATE TABLE comments (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id bigint NOT NULL,
        comment_id text NOT NULL,
        post_id text NOT NULL,
        post_permalink text NOT NULL,
        parent_id text NOT NULL,
        author text NOT NULL,
        body text NOT NULL,
        score integer NOT NULL,
        created_utc timestamptz NOT NULL,
        depth integer NOT NULL,
        is_submitter boolean NOT NULL,
        sentiment_score double precision NOT NULL,
        sentiment_label text NOT NULL CHECK (sentiment_label IN ('positive', 'negative', 'neutral')),
        scraped_at timestamptz NOT NULL,
        search tsvector NOT NULL GENERATED ALWAYS AS (to_tsvector('english'::regconfig, body)) STORED,
        PRIMARY KEY (workspace_id, id)
      )`);
    await runner.query('CREATE INDEX comments_newest ON comments (workspace_id, created_utc, id)');
    await runner.query('CREATE INDEX comments_by_post ON comments (workspace_id, post_id, created_utc, id)');
    await runner.query(
      'CREATE INDEX comments_by_author ON comments (workspace_id, lower(author), created_utc, id)',
    );
    await runner.query('CREATE INDEX comments_search ON comments USING gin (workspace_id, search)');

    // Events are appended in the transaction that causes them; the unique key prevents duplicates when a batch is
    // repeated.
    await runner.query(`
      CREATE TABLE outbox_events (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        type text NOT NULL,
        unique_key text NOT NULL,
        data jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        leased_until timestamptz,
        relayed_at timestamptz,
        PRIMARY KEY (workspace_id, id),
        UNIQUE (workspace_id, unique_key)
      )`);
    await runner.query(
      'CREATE INDEX outbox_events_waiting ON outbox_events (created_at) WHERE relayed_at IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['outbox_events', 'comments', 'posts', 'job_posts', 'jobs', 'api_keys', 'workspaces'])
      await runner.query(`DROP TABLE ${table}`);
  }
}
