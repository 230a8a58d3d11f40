/** Events, webhooks, and the deliveries of events to webhooks, alerts and members. */
export const EVENTS = `
  -- Events are appended in the transaction that causes them; the unique key prevents duplicates when a batch is repeated.
  -- The subject's columns let routing read no payload.
  CREATE TABLE outbox_events (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    type text NOT NULL,
    unique_key text NOT NULL,
    data jsonb NOT NULL,
    subject_kind text NOT NULL CHECK (subject_kind IN ('job', 'alert', 'webhook', 'export')),
    subject_id uuid NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    fan_out_after uuid,
    relay_failures integer NOT NULL DEFAULT 0,
    relay_not_before timestamptz,
    relayed_at timestamptz,
    set_aside_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, unique_key)
  );
  CREATE INDEX outbox_events_waiting ON outbox_events (workspace_id, created_at)
    WHERE relayed_at IS NULL AND set_aside_at IS NULL;
  CREATE INDEX outbox_events_relayed ON outbox_events (relayed_at) WHERE relayed_at IS NOT NULL;
  CREATE INDEX outbox_events_set_aside ON outbox_events (set_aside_at) WHERE set_aside_at IS NOT NULL;

  CREATE TABLE webhooks (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    sealed_url text NOT NULL,
    events text[] NOT NULL,
    sealed_secret text,
    sealed_previous_secret text,
    previous_secret_until timestamptz,
    is_active boolean NOT NULL DEFAULT true,
    disabled_reason text,
    last_triggered_at timestamptz,
    failure_count integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );

  -- An attempt writes one row, and a claim is a heap-only (HOT) update: the lease is in a column without an index, and
  -- pages have room for new versions. The constraint lets a delivery be due exactly while it is pending.
  CREATE TABLE deliveries (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    destination_kind text NOT NULL CHECK (destination_kind IN ('webhook', 'alert', 'member')),
    destination_id uuid NOT NULL,
    status text NOT NULL DEFAULT 'pending'
      CHECK (status IN ('pending', 'delivered', 'failed', 'undeliverable')),
    attempts integer NOT NULL DEFAULT 0,
    schedule_position integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz,
    lease_owner uuid,
    leased_until timestamptz,
    -- Of several recipients, those that were not reached yet.
    remaining text[],
    response_code integer,
    duration_ms integer,
    error text,
    history jsonb NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    completed_at timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, event_id, destination_kind, destination_id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES outbox_events (workspace_id, id) ON DELETE CASCADE,
    CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
  ) WITH (fillfactor = 50);
  CREATE INDEX deliveries_newest
    ON deliveries (workspace_id, destination_kind, destination_id, created_at, id);
  CREATE INDEX deliveries_due
    ON deliveries (workspace_id, destination_kind, destination_id, next_attempt_at) WHERE status = 'pending';

  -- One row per destination. The poller reads these rows instead of the backlog, so the backlog of an unreachable
  -- destination costs one row. Idle queues are pruned.
  CREATE TABLE destination_queues (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    destination_kind text NOT NULL,
    destination_id uuid NOT NULL,
    due_at timestamptz,
    failures integer NOT NULL DEFAULT 0,
    idle_since timestamptz,
    PRIMARY KEY (workspace_id, destination_kind, destination_id)
  );
  CREATE INDEX destination_queues_due ON destination_queues (due_at) WHERE due_at IS NOT NULL;`;
