/** Erasures and suppressions; both keep hashes of their subjects. */
export const ERASURES = `
  CREATE TABLE suppressions (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, hash)
  );
  CREATE INDEX suppressions_newest ON suppressions (workspace_id, created_at, id);

  CREATE TABLE suppressed_hashes (
    workspace_id uuid NOT NULL,
    hash bytea NOT NULL,
    suppression_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, hash, suppression_id),
    FOREIGN KEY (workspace_id, suppression_id) REFERENCES suppressions (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX suppressed_hashes_of_suppression ON suppressed_hashes (workspace_id, suppression_id);

  CREATE TABLE erasures (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL,
    source text,
    subject_hash bytea NOT NULL,
    sealed_subject text,
    reason text NOT NULL,
    suppress boolean NOT NULL,
    suppression_id uuid,
    phase text NOT NULL,
    scanned_to text,
    removed jsonb NOT NULL,
    lease_until timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at timestamptz,
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX erasures_newest ON erasures (workspace_id, created_at, id);
  CREATE INDEX erasures_unfinished ON erasures (created_at) WHERE completed_at IS NULL;

  -- Records that an erasure has erased so far, by which it finds the rows in files of datasets.
  CREATE TABLE erased_hashes (
    workspace_id uuid NOT NULL,
    erasure_id uuid NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (workspace_id, erasure_id, hash),
    FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id) ON DELETE CASCADE
  );`;
