/** Workspaces and their keys, the keys that encrypt, and the first responses of idempotent requests. */
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

  -- Encrypted keys of a workspace, which hash, encrypt or pseudonymize for it alone.
  CREATE TABLE workspace_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    purpose text NOT NULL,
    sealed_key text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, purpose)
  );

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
  CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at);`;
