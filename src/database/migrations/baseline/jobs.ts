/** Jobs, their executions and work lists, and the workers that execute them. */
export const JOBS = `
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
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX jobs_newest ON jobs (workspace_id, created_at, id);
  CREATE INDEX jobs_newest_by_status ON jobs (workspace_id, status, created_at, id);
  CREATE INDEX jobs_waiting_small ON jobs (workspace_id, created_at, id)
    WHERE status = 'pending' AND (mode = 'monitor' OR post_limit <= 100);
  CREATE INDEX jobs_waiting_large ON jobs (workspace_id, created_at, id)
    WHERE status = 'pending' AND NOT (mode = 'monitor' OR post_limit <= 100);
  -- Finds earlier jobs of a target, to fill the gaps that they left.
  CREATE INDEX jobs_by_target ON jobs (workspace_id, target_type, lower(target), started_at);
  CREATE INDEX jobs_ended ON jobs (completed_at) WHERE completed_at IS NOT NULL;

  -- Order in which workspaces start jobs: tags of start-time fair queuing, in units of 100 posts.
  CREATE TABLE job_turns (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    start_tag double precision NOT NULL,
    finish_tag double precision NOT NULL
  );
  CREATE INDEX job_turns_newest ON job_turns (start_tag);

  CREATE TABLE job_workers (
    id text PRIMARY KEY,
    seen_at timestamptz NOT NULL,
    claims_failing_since timestamptz,
    claim_failure text
  );

  CREATE TABLE job_executions (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    job_id uuid NOT NULL,
    is_small boolean NOT NULL,
    lease_owner text,
    lease_until timestamptz NOT NULL,
    -- Claims since the job last stored something, so that a job that always crashes ends.
    attempts integer NOT NULL,
    checkpoint jsonb,
    keywords_version integer NOT NULL,
    PRIMARY KEY (workspace_id, job_id)
  );

  -- A job's work list: the posts it stored and whose comments it still has to read. Emptied when the job ends. No
  -- foreign key: checking every row against its job, which the batch has locked anyway, costs more than writing it.
  CREATE TABLE job_posts (
    workspace_id uuid NOT NULL,
    job_id uuid NOT NULL,
    post_id text NOT NULL,
    position integer NOT NULL,
    comments_pending boolean NOT NULL,
    -- This tree's share of the job's counter, so that a tree that is read twice counts once.
    comments integer NOT NULL DEFAULT 0,
    -- Phrases of a new post, added to the workspace's frequencies when the job ends.
    phrase_keys bytea,
    PRIMARY KEY (workspace_id, job_id, post_id)
  );
  -- Hashes are incompressible.
  ALTER TABLE job_posts ALTER COLUMN phrase_keys SET STORAGE EXTERNAL;
  CREATE INDEX job_posts_pending ON job_posts (workspace_id, job_id, position) WHERE comments_pending;

  -- Files that a job has to download. Deleted with the job's work list.
  CREATE TABLE job_media (
    workspace_id uuid NOT NULL,
    job_id uuid NOT NULL,
    post_id text NOT NULL,
    url text NOT NULL,
    url_hash bytea NOT NULL,
    audio_url text,
    -- A copy, for when the file is gone.
    fallback_url text,
    pending boolean NOT NULL DEFAULT true,
    -- Bytes of the file that the job downloaded, counted against the limit per job.
    bytes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, job_id, post_id, url_hash),
    FOREIGN KEY (workspace_id, job_id, post_id)
      REFERENCES job_posts (workspace_id, job_id, post_id) ON DELETE CASCADE
  );

  -- The posts a job stored, kept after its work list is emptied.
  CREATE TABLE job_stored_posts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    job_id uuid NOT NULL,
    post_ids text[] NOT NULL,
    PRIMARY KEY (workspace_id, job_id)
  );

  CREATE TABLE job_log (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    job_id uuid NOT NULL,
    seq integer NOT NULL,
    at timestamptz NOT NULL,
    level text NOT NULL,
    event text NOT NULL,
    message text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (workspace_id, job_id, seq)
  );

  -- How often a workspace's posts contain each keyword. A version never changes, so that a resumed job reads the same
  -- frequencies as before.
  CREATE TABLE keyword_frequencies (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    version integer NOT NULL,
    state bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, version)
  );
  ALTER TABLE keyword_frequencies ALTER COLUMN state SET STORAGE EXTERNAL;`;
