import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves executions to their own table, and adds the indexes and scheduling tags by which waiting jobs are started. */
export class JobExecutions1791000002000 implements MigrationInterface {
  name = 'JobExecutions1791000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_executions (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        job_id uuid NOT NULL,
        is_small boolean NOT NULL,
        lease_owner text,
        lease_until timestamptz NOT NULL,
        attempts integer NOT NULL,
        checkpoint jsonb,
        keywords_version integer NOT NULL,
        PRIMARY KEY (workspace_id, job_id)
      )`);
    await runner.query(`
      INSERT INTO job_executions
        (workspace_id, job_id, is_small, lease_owner, lease_until, attempts, checkpoint, keywords_version)
      SELECT workspace_id, id, mode = 'monitor' OR post_limit <= 100, lease_owner,
        coalesce(lease_until, clock_timestamp()), attempts, checkpoint || '{"version": 1}', coalesce(keywords_version, 0)
      FROM jobs WHERE status = 'running'`);
    // Phrases of the job's new posts, added to the workspace's frequencies when the job ends. Hashes are
    // incompressible.
    await runner.query('ALTER TABLE job_posts ADD COLUMN phrase_keys bytea');
    await runner.query('ALTER TABLE job_posts ALTER COLUMN phrase_keys SET STORAGE EXTERNAL');
    await runner.query('ALTER TABLE job_posts DROP COLUMN is_new');
    await runner.query('DROP INDEX jobs_unfinished');
    for (const column of ['checkpoint', 'lease_owner', 'lease_until', 'attempts', 'keywords_version'])
      await runner.query(`ALTER TABLE jobs DROP COLUMN ${column}`);

    // Order in which workspaces start jobs: tags of start-time fair queuing, in units of 100 posts.
    await runner.query(`
      CREATE TABLE job_turns (
        workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
        start_tag double precision NOT NULL,
        finish_tag double precision NOT NULL
      )`);
    await runner.query('CREATE INDEX job_turns_newest ON job_turns (start_tag)');
    await runner.query(`CREATE INDEX jobs_waiting_small ON jobs (workspace_id, created_at, id)
      WHERE status = 'pending' AND (mode = 'monitor' OR post_limit <= 100)`);
    await runner.query(`CREATE INDEX jobs_waiting_large ON jobs (workspace_id, created_at, id)
      WHERE status = 'pending' AND NOT (mode = 'monitor' OR post_limit <= 100)`);
    // Finds earlier jobs of a target, to fill the gaps that they left.
    await runner.query(
      'CREATE INDEX jobs_by_target ON jobs (workspace_id, target_type, lower(target), started_at)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of ['jobs_by_target', 'jobs_waiting_large', 'jobs_waiting_small'])
      await runner.query(`DROP INDEX ${index}`);
    await runner.query('DROP TABLE job_turns');
    await runner.query(`ALTER TABLE jobs ADD COLUMN checkpoint jsonb, ADD COLUMN lease_owner text,
      ADD COLUMN lease_until timestamptz, ADD COLUMN attempts integer NOT NULL DEFAULT 0,
      ADD COLUMN keywords_version integer`);
    await runner.query(`UPDATE jobs SET checkpoint = execution.checkpoint - 'version', lease_owner = execution.lease_owner,
        lease_until = execution.lease_until, attempts = execution.attempts, keywords_version = execution.keywords_version
      FROM job_executions AS execution
      WHERE execution.workspace_id = jobs.workspace_id AND execution.job_id = jobs.id`);
    await runner.query(
      `CREATE INDEX jobs_unfinished ON jobs (lease_until) WHERE status IN ('pending', 'running')`,
    );
    await runner.query('ALTER TABLE job_posts ADD COLUMN is_new boolean NOT NULL DEFAULT false');
    await runner.query('ALTER TABLE job_posts DROP COLUMN phrase_keys');
    await runner.query('DROP TABLE job_executions');
  }
}
