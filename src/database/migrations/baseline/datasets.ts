/** Datasets with their files, and labels of posts and comments. */
export const DATASETS = `
  CREATE TABLE datasets (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('posts', 'comments')),
    filters jsonb NOT NULL,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed')),
    error_message text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    frozen_at timestamptz,
    completed_at timestamptz,
    sources jsonb NOT NULL DEFAULT '{}',
    models jsonb,
    -- Whose labels are columns.
    labellers text[] NOT NULL DEFAULT '{}',
    erased_rows integer NOT NULL DEFAULT 0,
    erased_at timestamptz,
    lease_owner text,
    lease_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX datasets_newest ON datasets (workspace_id, created_at, id);
  CREATE INDEX datasets_unfinished ON datasets (created_at) WHERE status IN ('pending', 'running');

  CREATE TABLE dataset_parts (
    workspace_id uuid NOT NULL,
    dataset_id uuid NOT NULL,
    number integer NOT NULL,
    key text NOT NULL,
    rows integer NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    replaced_key text,
    PRIMARY KEY (workspace_id, dataset_id, number),
    FOREIGN KEY (workspace_id, dataset_id) REFERENCES datasets (workspace_id, id) ON DELETE CASCADE
  );

  CREATE TABLE labels (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    labeller text NOT NULL,
    record_id text NOT NULL,
    label text NOT NULL,
    labelled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, labeller, record_id)
  );
  CREATE INDEX labels_of_record ON labels (workspace_id, record_id);`;
