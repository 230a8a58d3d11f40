/** API keys and members, and the browsers in which they and operators are signed in. */
export const SIGN_IN = `
  -- A member is a key with an address: a person who signs in with an account of an identity provider.
  CREATE TABLE api_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    key_prefix text NOT NULL,
    email text,
    subject text,
    key_hash bytea NOT NULL,
    scopes text[] NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
  );
  -- Looked up without a workspace, because the key determines it. The same holds for accounts and sessions.
  CREATE UNIQUE INDEX api_keys_key_hash ON api_keys (key_hash);
  CREATE UNIQUE INDEX api_keys_member ON api_keys (workspace_id, email) WHERE email IS NOT NULL;
  CREATE INDEX api_keys_of_email ON api_keys (email) WHERE email IS NOT NULL;
  CREATE INDEX api_keys_of_subject ON api_keys (subject) WHERE subject IS NOT NULL;

  -- Browsers, and links that sign one in.
  CREATE TABLE sessions (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    token_hash bytea NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    api_key_id uuid NOT NULL,
    parent_id uuid,
    session_ends_at timestamptz,
    address text,
    user_agent text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, token_hash)
  );
  CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash);
  CREATE INDEX sessions_expired ON sessions (expires_at);
  CREATE INDEX sessions_of_key ON sessions (workspace_id, api_key_id, kind, created_at);

  -- Browsers of operators.
  CREATE TABLE admin_sessions (
    token_hash bytea PRIMARY KEY,
    admin_token_hash bytea NOT NULL,
    operator text,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL
  );`;
