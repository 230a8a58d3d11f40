/** Schedules and the outcome of each of their occurrences. */
export const SCHEDULES = `
  CREATE TABLE schedules (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    target text NOT NULL,
    target_type text NOT NULL,
    mode text NOT NULL,
    config jsonb NOT NULL DEFAULT '{}',
    cron_expression text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    last_run_at timestamptz,
    next_run_at timestamptz NOT NULL,
    run_count integer NOT NULL DEFAULT 0,
    last_job_id uuid,
    resumed_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX schedules_by_age ON schedules (workspace_id, created_at, id);
  -- Used to claim due schedules. Schedulers serve every workspace, so this index does not begin with workspace_id.
  CREATE INDEX schedules_due ON schedules (next_run_at) WHERE is_active;

  -- The key ensures that each occurrence runs once. Jobs outlive their schedule, and may be deleted before its history.
  CREATE TABLE schedule_runs (
    workspace_id uuid NOT NULL,
    schedule_id uuid NOT NULL,
    due_at timestamptz NOT NULL,
    trigger text NOT NULL CHECK (trigger IN ('cron', 'manual')),
    job_id uuid,
    skip_reason text,
    detail text,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, schedule_id, due_at),
    FOREIGN KEY (workspace_id, schedule_id) REFERENCES schedules (workspace_id, id) ON DELETE CASCADE,
    CHECK ((job_id IS NULL) <> (skip_reason IS NULL))
  );
  -- Finds expired rows, over all workspaces.
  CREATE INDEX schedule_runs_by_age ON schedule_runs (recorded_at);`;
