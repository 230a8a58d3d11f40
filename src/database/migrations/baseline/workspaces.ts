/** Workspaces, their credentials, and the records of requests. */
export const WORKSPACES = `
  CREATE TABLE workspaces (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'deleting')),
    created_at timestamptz NOT NULL DEFAULT now(),
    -- Differences from the operator's defaults, by name.
    quotas jsonb NOT NULL DEFAULT '{}',
    -- The age at which data is deleted, by kind.
    retention_days jsonb NOT NULL DEFAULT '{}',
    -- Progress of the deletion of the workspace.
    deletion jsonb
  );
  CREATE INDEX workspaces_newest ON workspaces (created_at, id);
  CREATE INDEX workspaces_not_active ON workspaces (id, status) WHERE status <> 'active';

  CREATE TABLE api_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    key_prefix text NOT NULL,
    key_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    last_used_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
  );
  -- Looked up without a workspace, because the key determines it. The same holds for sessions.
  CREATE UNIQUE INDEX api_keys_key_hash ON api_keys (key_hash);

  CREATE TABLE sessions (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    api_key_id uuid NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, token_hash)
  );
  CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash);
  CREATE INDEX sessions_expired ON sessions (expires_at);

  -- Ids of the keys that encrypt secrets, so that a process with another key refuses to start.
  CREATE TABLE encryption_keys (
    key_id text PRIMARY KEY,
    first_used_at timestamptz NOT NULL DEFAULT now()
  );

  -- First responses of idempotent requests.
  CREATE TABLE idempotency_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    api_key_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status integer,
    sealed_body text,
    lease_until timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, api_key_id, key)
  );
  CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);

  -- Who changed what, when and from where. Entries outlive workspaces, so they have no foreign key.
  CREATE TABLE audit_entries (
    id uuid PRIMARY KEY,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text NOT NULL CHECK (actor IN ('api_key', 'admin', 'command_line')),
    actor_name text,
    ip text,
    action text NOT NULL,
    target_workspace_id uuid,
    resource jsonb NOT NULL DEFAULT '{}',
    fields text[] NOT NULL DEFAULT '{}',
    status integer,
    request_id text
  );
  CREATE INDEX audit_entries_newest ON audit_entries (recorded_at, id);
  CREATE INDEX audit_entries_of_workspace ON audit_entries (target_workspace_id, recorded_at, id);`;
