/** The audit log and both ends of its chain of hashes. */
export const AUDIT = `
  -- Who changed what, when and from where. Entries outlive workspaces, so they have no foreign key. An entry is sealed
  -- after it was written: only then it has its place in the chain.
  CREATE TABLE audit_entries (
    id uuid PRIMARY KEY,
    recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text NOT NULL,
    actor_name text,
    ip text,
    action text NOT NULL,
    target_workspace_id uuid,
    resource jsonb NOT NULL DEFAULT '{}',
    fields text[] NOT NULL DEFAULT '{}',
    status integer,
    request_id text,
    sequence bigint,
    hash bytea
  );
  CREATE INDEX audit_entries_newest ON audit_entries (recorded_at, id);
  CREATE INDEX audit_entries_of_workspace ON audit_entries (target_workspace_id, recorded_at, id);
  CREATE UNIQUE INDEX audit_entries_sequence ON audit_entries (sequence);
  CREATE INDEX audit_entries_unsealed ON audit_entries (recorded_at, id) WHERE sequence IS NULL;

  -- One row.
  CREATE TABLE audit_chain (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    sequence bigint NOT NULL DEFAULT 0,
    hash bytea NOT NULL,
    pruned_sequence bigint NOT NULL DEFAULT 0,
    pruned_hash bytea NOT NULL
  );`;
