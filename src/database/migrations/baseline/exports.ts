/** Exports as jobs: the request, its progress, and the files that are ready. */
export const EXPORTS = `
  CREATE TABLE exports (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('posts', 'comments')),
    format text NOT NULL,
    compression text CHECK (compression IN ('gzip', 'zstd')),
    filters jsonb NOT NULL,
    incremental_from uuid,
    byte_order_mark boolean NOT NULL DEFAULT false,
    pseudonymize boolean NOT NULL DEFAULT false,
    status text NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
    error_message text,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    completed_at timestamptz,
    expires_at timestamptz,
    changed_since bigint,
    horizon bigint,
    database_id text NOT NULL,
    lease_owner text,
    lease_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX exports_newest ON exports (workspace_id, created_at, id);
  CREATE INDEX exports_unfinished ON exports (workspace_id, created_at) WHERE status IN ('pending', 'running');
  CREATE INDEX exports_expiring ON exports (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE export_parts (
    workspace_id uuid NOT NULL,
    export_id uuid NOT NULL,
    number integer NOT NULL,
    key text NOT NULL,
    rows integer NOT NULL,
    bytes bigint NOT NULL,
    sha256 text NOT NULL,
    last_id text,
    PRIMARY KEY (workspace_id, export_id, number),
    FOREIGN KEY (workspace_id, export_id) REFERENCES exports (workspace_id, id) ON DELETE CASCADE
  );`;
