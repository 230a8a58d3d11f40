/** Alerts, their matches, and the members who are notified of them. */
export const ALERTS = `
  CREATE TABLE alerts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    keywords text[] NOT NULL,
    query text,
    "of" text NOT NULL DEFAULT 'posts',
    forums text[] NOT NULL,
    channel text NOT NULL,
    sealed_channel_config text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    last_triggered_at timestamptz,
    trigger_count integer NOT NULL DEFAULT 0,
    channel_failing_since timestamptz,
    channel_disabled_reason text,
    -- The condition of an alert on spikes.
    spike jsonb,
    spike_due_at timestamptz,
    spike_read_until timestamptz,
    fold_duplicates boolean NOT NULL DEFAULT true,
    -- When its channel is notified.
    delivery jsonb,
    digest_due_at timestamptz,
    sent_hour timestamptz,
    sent_in_hour integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );
  -- Due alerts are looked for over all workspaces.
  CREATE INDEX alerts_spike_due ON alerts (spike_due_at) WHERE spike_due_at IS NOT NULL;
  CREATE INDEX alerts_digest_due ON alerts (digest_due_at) WHERE digest_due_at IS NOT NULL;

  -- Increases with every change of a workspace's alerts, so that a compiled matcher can detect that it is outdated.
  CREATE TABLE alert_versions (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    version bigint NOT NULL
  );

  CREATE TABLE alert_matches (
    workspace_id uuid NOT NULL,
    alert_id uuid NOT NULL,
    post_id text NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    job_id uuid NOT NULL,
    keywords text[] NOT NULL,
    matched_at timestamptz NOT NULL DEFAULT now(),
    is_held boolean NOT NULL DEFAULT false,
    -- Reposts of a story are folded into its first match, which counts them.
    folded_into uuid,
    duplicates integer NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'new',
    labels text[] NOT NULL DEFAULT '{}',
    note text NOT NULL DEFAULT '',
    PRIMARY KEY (workspace_id, alert_id, post_id),
    FOREIGN KEY (workspace_id, alert_id) REFERENCES alerts (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX alert_matches_newest ON alert_matches (workspace_id, alert_id, matched_at, post_id);
  CREATE INDEX alert_matches_id ON alert_matches (workspace_id, id);
  CREATE INDEX alert_matches_inbox ON alert_matches (workspace_id, matched_at, id);

  -- Hashes of matched texts, by which reposts are recognised.
  CREATE TABLE alert_story_keys (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    key bigint NOT NULL,
    record_id text NOT NULL,
    language text NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, key, record_id)
  );
  CREATE INDEX alert_story_keys_stored ON alert_story_keys (workspace_id, stored_at);

  -- Addresses of members that differ from those of their accounts.
  CREATE TABLE notification_addresses (
    workspace_id uuid NOT NULL,
    member_id uuid NOT NULL,
    sealed_address text NOT NULL,
    PRIMARY KEY (workspace_id, member_id),
    FOREIGN KEY (workspace_id, member_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
  );

  CREATE TABLE alert_subscriptions (
    workspace_id uuid NOT NULL,
    alert_id uuid NOT NULL,
    member_id uuid NOT NULL,
    PRIMARY KEY (workspace_id, alert_id, member_id),
    FOREIGN KEY (workspace_id, alert_id) REFERENCES alerts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, member_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
  );
  CREATE INDEX alert_subscriptions_of_member ON alert_subscriptions (workspace_id, member_id);`;
