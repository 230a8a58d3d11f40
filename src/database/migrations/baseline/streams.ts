/** Streams of all posts of a source: ids for the whole installation, and no data of workspaces. */
export const STREAMS = `
  CREATE TABLE stream_cursors (
    source text PRIMARY KEY,
    position text,
    holder uuid,
    lease_until timestamptz
  );

  CREATE TABLE stream_topics (
    source text NOT NULL,
    topic text NOT NULL,
    wanted_since timestamptz NOT NULL DEFAULT now(),
    wanted_until timestamptz NOT NULL,
    -- The only workspace that wants it, with which it is erased.
    wanted_by uuid,
    PRIMARY KEY (source, topic)
  );

  CREATE TABLE stream_posts (
    source text NOT NULL,
    topic text NOT NULL,
    id text NOT NULL,
    position bigserial NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (source, topic, id)
  );
  CREATE INDEX stream_posts_newest ON stream_posts (source, topic, position);
  CREATE INDEX stream_posts_of_id ON stream_posts (source, id);
  CREATE INDEX stream_posts_oldest ON stream_posts (position);
  CREATE INDEX stream_posts_of_accounts ON stream_posts (id text_pattern_ops);

  CREATE TABLE stream_deletions (
    id text NOT NULL,
    is_account boolean NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, is_account)
  );
  CREATE INDEX stream_deletions_seen_at ON stream_deletions (seen_at);`;
