/** Posts, comments and media, and the positions of jobs and rechecks in them. */
export const CONTENT = `
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
    annotations jsonb NOT NULL DEFAULT '{}',
    language text NOT NULL DEFAULT 'und',
    -- Words as the analyzer of the service finds them.
    search tsvector NOT NULL DEFAULT '',
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX posts_by_created_utc ON posts (workspace_id, created_utc, id);
  CREATE INDEX posts_by_score ON posts (workspace_id, score, id);
  CREATE INDEX posts_by_num_comments ON posts (workspace_id, num_comments, id);
  CREATE INDEX posts_by_upvote_ratio ON posts (workspace_id, upvote_ratio, id);
  CREATE INDEX posts_by_sentiment_score ON posts (workspace_id, sentiment_score, id);
  CREATE INDEX posts_by_scraped_at ON posts (workspace_id, scraped_at, id);
  CREATE INDEX posts_by_forum ON posts (workspace_id, lower(forum), created_utc, id);
  CREATE INDEX posts_by_author ON posts (workspace_id, lower(author), created_utc, id);
  -- Finds an account's posts and comments by the beginning of their ids, for sources whose stream reports accounts that are gone.
  CREATE INDEX posts_of_accounts ON posts (id text_pattern_ops) WHERE starts_with(id, 'bs_');
  CREATE INDEX posts_search ON posts USING gin (workspace_id, search);

  CREATE TABLE comments (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id bigint NOT NULL,
    comment_id text NOT NULL,
    post_id text NOT NULL,
    post_permalink text NOT NULL,
    forum text NOT NULL,
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
    annotations jsonb NOT NULL DEFAULT '{}',
    language text NOT NULL DEFAULT 'und',
    search tsvector NOT NULL DEFAULT '',
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX comments_newest ON comments (workspace_id, created_utc, id);
  CREATE INDEX comments_by_score ON comments (workspace_id, score, id);
  CREATE INDEX comments_by_sentiment_score ON comments (workspace_id, sentiment_score, id);
  CREATE INDEX comments_by_post ON comments (workspace_id, post_id, created_utc, id);
  CREATE INDEX comments_by_forum ON comments (workspace_id, lower(forum), created_utc, id);
  CREATE INDEX comments_by_author ON comments (workspace_id, lower(author), created_utc, id);
  CREATE INDEX comments_of_accounts ON comments (comment_id text_pattern_ops) WHERE starts_with(comment_id, 'bs_');
  CREATE INDEX comments_search ON comments USING gin (workspace_id, search);

  -- History of the scores, ratios and comment counts of posts.
  CREATE TABLE post_scores (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    post_id text NOT NULL,
    seen_at timestamptz NOT NULL,
    score integer NOT NULL,
    upvote_ratio real NOT NULL,
    num_comments integer NOT NULL,
    PRIMARY KEY (workspace_id, post_id, seen_at)
  );

  CREATE TABLE media_files (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    post_id text NOT NULL,
    url text NOT NULL,
    -- SHA-256 of the URL: an index entry is limited to 2.7 KB, and a URL may be longer.
    url_hash bytea NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    path text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, post_id, url_hash)
  );

  -- Total of a workspace's files: summing over them would slow down each download as they grow in number.
  CREATE TABLE media_usage (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes bigint NOT NULL
  );

  -- Positions of dump imports, from which an interrupted import resumes.
  CREATE TABLE dump_imports (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    fingerprint bytea NOT NULL,
    file text NOT NULL,
    lines bigint NOT NULL,
    posts bigint NOT NULL,
    comments bigint NOT NULL,
    damaged_lines bigint NOT NULL,
    completed_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, fingerprint)
  );

  -- Positions of the passes that recheck stored content, and the removals that they found.
  CREATE TABLE content_rechecks (
    workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
    source text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('posts', 'comments')),
    due_at timestamptz NOT NULL,
    lease_until timestamptz,
    pass_started_at timestamptz,
    after_time text,
    after_id text,
    checked bigint NOT NULL DEFAULT 0,
    deleted bigint NOT NULL DEFAULT 0,
    removed bigint NOT NULL DEFAULT 0,
    account_deleted bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, source, kind)
  );
  CREATE INDEX content_rechecks_due ON content_rechecks (due_at);`;
