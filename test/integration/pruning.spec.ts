import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Pruner } from '../../src/infrastructure/pruning/pruner.js';
import { AlertMatchesRepository } from '../../src/alerts/matching/alert-matches.repository.js';
import { AlertsService } from '../../src/alerts/service/alerts.service.js';
import { ApiKeysService } from '../../src/access/api-keys/api-keys.service.js';
import { AuditChainRepository } from '../../src/access/audit/audit-chain.repository.js';
import { HistoryPruner } from '../../src/deliver/log/history-pruner.js';
import { IdempotencyRepository } from '../../src/access/idempotency/idempotency.repository.js';
import { JobHistoryPruner } from '../../src/collect/scraping/job-history-pruner.js';
import { JobWorker } from '../../src/collect/scraping/job-worker.js';
import { ERASED_TARGET } from '../../src/collect/jobs/job.entity.js';
import { JobLogRepository, type NewLogEntry } from '../../src/collect/scraping/log/job-log.repository.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { withFakes } from '../support/with-fakes.js';

const DAY = "interval '1 day'";

// Disables the service's own pruning, so that each test sees only its own passes.
beforeAll(() => jest.spyOn(Pruner.prototype, 'onApplicationBootstrap').mockReturnValue());

describe('expired data', () => {
  let service: TestApplication;
  let database: DataSource;
  let workspaceId: string;
  let alertId: string;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'worker,scheduler' });
    database = service.app.get(DataSource);
    await service.get(JobWorker).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    for (const table of ['idempotency_keys', 'alert_matches']) await database.query(`DELETE FROM ${table}`);
    await inNewWorkspace();
  });

  const inNewWorkspace = async () => {
    ({ workspaceId } = await service.createWorkspace());
    const alert = await service.get(AlertsService).create(workspaceId, { name: 'Test', keywords: ['rust'] });
    alertId = alert.id.slice(alert.id.indexOf('_') + 1);
  };
  const insertMatches = (ids: string[], days: number) =>
    database.query(
      `INSERT INTO alert_matches (workspace_id, alert_id, post_id, job_id, keywords, matched_at)
       SELECT $1, $2, unnest($3::text[]), $4, '{rust}', now() - $5 * ${DAY}`,
      [workspaceId, alertId, ids, randomUUID(), days],
    );
  const insertKeys = (names: string[], days: number) =>
    database.query(
      `INSERT INTO idempotency_keys (workspace_id, api_key_id, key, fingerprint, lease_until, created_at)
       SELECT $1, $2, unnest($3::text[]), '', now(), now() - $4 * ${DAY}`,
      [workspaceId, randomUUID(), names, days],
    );
  /** Entries of the audit log by their action, so many days old. */
  const insertEntries = async (days: Record<string, number>) => {
    await database.query(
      `INSERT INTO audit_entries (id, recorded_at, actor, action, target_workspace_id)
       SELECT gen_random_uuid(), now() - days * ${DAY}, 'admin', name, $1
       FROM unnest($2::text[], $3::float8[]) AS entry (name, days)`,
      [workspaceId, Object.keys(days), Object.values(days)],
    );
    await service.get(AuditChainRepository).seal(100);
  };
  const left = async (table: string, column: string, workspaceColumn = 'workspace_id') =>
    (
      await database.query<{ value: string }[]>(
        `SELECT ${column} AS value FROM ${table} WHERE ${workspaceColumn} = $1 ORDER BY 1`,
        [workspaceId],
      )
    ).map(({ value }) => value);

  it('is deleted by one pass over every kind of row, and everything else stays', async () => {
    await insertMatches(['t3_new'], 89.5);
    await insertMatches(['t3_old', 't3_kept'], 90.5);
    await database.query(`UPDATE alert_matches SET state = 'kept' WHERE post_id = 't3_kept'`);
    await insertKeys(['new'], 0.99);
    await insertKeys(['old'], 1.01);
    await database.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, completed_at)
       SELECT $1, gen_random_uuid(), target, 'forum', 'full', 20, true, true, 'completed', now() - days * ${DAY}
       FROM (VALUES ('new', 89.5), ('old', 90.5)) AS job (target, days)`,
      [workspaceId],
    );
    await database.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at)
       SELECT $1, gen_random_uuid(), 'job.failed', name, 'job', gen_random_uuid(), '{}', now() - days * ${DAY}
       FROM (VALUES ('new', 29.5), ('old', 30.5)) AS event (name, days)`,
      [workspaceId],
    );
    await database.query(
      `INSERT INTO schedules (workspace_id, id, target, target_type, mode, cron_expression, config, next_run_at, resumed_at)
       VALUES ($1, $2, 'a', 'forum', 'full', '@yearly', '{}', now() + ${DAY}, now())`,
      [workspaceId, alertId],
    );
    await database.query(
      `INSERT INTO schedule_runs (workspace_id, schedule_id, due_at, trigger, skip_reason, recorded_at)
       SELECT $1, $2, now() - (90 + n) * ${DAY}, 'cron', 'previous_job_unfinished', now() - (90 + n) * ${DAY}
       FROM generate_series(1, 12) AS n`,
      [workspaceId, alertId],
    );

    await insertEntries({ old: 365.5, new: 364.5 });

    await database.query(
      `INSERT INTO arrivals (workspace_id, kind, xid, row_ids, arrived_at)
       SELECT $1, 'posts', 1, ARRAY[name], now() - days * ${DAY} FROM (VALUES ('new', 0.99), ('old', 1.01)) AS arrival (name, days)`,
      [workspaceId],
    );

    await database.query(
      `INSERT INTO sessions (workspace_id, token_hash, id, kind, api_key_id, expires_at)
       SELECT $1, name::bytea, gen_random_uuid(), 'session', $2, now() + hours * interval '1 hour' FROM (VALUES ('new', 1), ('old', -1)) AS session (name, hours)`,
      [workspaceId, alertId],
    );

    await database.query(
      `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, due_at, idle_since)
       SELECT $1, kind, $2, due_at, now() - days * ${DAY}
       FROM (VALUES ('idle', NULL, 30.5), ('new', NULL, 29.5), ('due', now() + ${DAY}, 30.5)) AS queue (kind, due_at, days)`,
      [workspaceId, alertId],
    );

    const pruner = service.app.get(Pruner);
    for (let pass = 0; pass < 100 && (await pruner.work()); pass += 1);

    expect(await left('alert_matches', 'post_id')).toEqual(['t3_kept', 't3_new']);
    expect(await left('idempotency_keys', 'key')).toEqual(['new']);
    expect(await left('jobs', 'target')).toEqual(['new']);
    expect(await left('arrivals', 'row_ids[1]')).toEqual(['new']);
    expect(await left('sessions', "convert_from(token_hash, 'UTF8')")).toEqual(['new']);
    expect(await left('outbox_events', 'unique_key')).toEqual(['new']);
    expect(await left('destination_queues', 'destination_kind')).toEqual(['due', 'new']);
    expect(await left('audit_entries', 'action', 'target_workspace_id')).toEqual(['new']);
    // The ten newest occurrences of a schedule are kept whatever their age.
    expect(await left('schedule_runs', 'due_at::text')).toHaveLength(10);
  });

  it('is deleted completely, however many events were relayed at the same moment', async () => {
    await database.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, relayed_at)
       SELECT $1, gen_random_uuid(), 'job.failed', number, 'job', gen_random_uuid(), '{}', now() - 31 * ${DAY} FROM generate_series(1, 1100) AS number`,
      [workspaceId],
    );
    const pruner = service.get(HistoryPruner);
    for (let batch = 0; batch < 10 && (await pruner.pruneBatch()); batch += 1);
    expect(await left('outbox_events', 'unique_key')).toEqual([]);
  });

  it('of API keys is kept up to the newest 1,000', async () => {
    const other = await service.createWorkspace();
    await database.query(
      `INSERT INTO api_keys (workspace_id, id, name, key_prefix, key_hash, scopes, is_active, expires_at, created_at)
       SELECT workspace, gen_random_uuid(), 'ended ' || number, 'rp_', sha256((workspace::text || number)::bytea), '{read}',
         number % 2 = 1, CASE WHEN number % 2 = 1 THEN now() END, now() - number * interval '1 minute'
       FROM unnest($1::uuid[]) AS workspace, generate_series(1, 1002) AS number`,
      [[workspaceId, other.workspaceId]],
    );
    const keys = service.get(ApiKeysService);
    await keys.create(workspaceId, { name: 'new', scopes: ['read'] });
    const kept = (await keys.list(workspaceId)).map(({ name }) => name);
    // Including the first key of the workspace and the new one.
    expect([kept.includes('ended 1000'), kept.includes('ended 1001'), kept.length]).toEqual([
      true,
      false,
      1_002,
    ]);
    expect(await keys.list(other.workspaceId)).toHaveLength(1_003);
  });

  it('is deleted in bounded batches, the oldest first', async () => {
    const matches = service.get(AlertMatchesRepository);
    await insertMatches(['t3_b'], 92);
    await insertMatches(['t3_a', 't3_c'], 91);
    expect(await matches.deleteOlderThan(90, 1)).toBe(1);
    expect(await left('alert_matches', 'post_id')).toEqual(['t3_a', 't3_c']);
    expect(await matches.deleteOlderThan(90, 10)).toBe(2);
    const keys = service.get(IdempotencyRepository);
    await insertKeys(['b'], 3);
    await insertKeys(['a', 'c'], 2);
    expect(await keys.deleteExpired(86_400_000, 1)).toBe(1);
    expect(await left('idempotency_keys', 'key')).toEqual(['a', 'c']);
    expect(await keys.deleteExpired(86_400_000, 10)).toBe(2);
    const audit = service.get(AuditChainRepository);
    await database.query('DELETE FROM audit_entries');
    await database.query('DELETE FROM audit_chain');
    await insertEntries({ b: 368, a: 367, c: 367 });
    expect(await audit.deleteOlderThan(365, 1)).toBe(1);
    expect(await left('audit_entries', 'action', 'target_workspace_id')).toEqual(['a', 'c']);
    expect(await audit.deleteOlderThan(365, 10)).toBe(2);
  });

  it('is deleted in batches that the matches of several workspaces fill together', async () => {
    await insertMatches(['t3_a', 't3_b'], 91);
    await inNewWorkspace();
    await insertMatches(['t3_a', 't3_b'], 91);
    const matches = service.get(AlertMatchesRepository);
    expect(await matches.deleteOlderThan(90, 3)).toBe(3);
    expect(await database.query('SELECT 1 FROM alert_matches')).toHaveLength(1);
    expect(await matches.deleteOlderThan(90, 3)).toBe(1);
  });
});

describe('the history of jobs', () => {
  let service: TestApplication;
  let database: DataSource;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'worker', JOB_RETENTION_DAYS: '30' });
    database = service.app.get(DataSource);
    await service.get(JobWorker).beforeApplicationShutdown();
  });

  /** Stores jobs that ended some days ago, and returns their ids. */
  const insertJobs = async (
    workspaceId: string,
    status: string,
    days: number | null,
    { count = 1, target = 'a' } = {},
  ): Promise<string[]> => {
    const rows = await database.query<{ id: string }[]>(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, created_at, completed_at)
       SELECT $1, gen_random_uuid(), $5, 'forum', 'full', 20, true, true, $2, now() - interval '90 days',
         now() - $3 * interval '1 day' FROM generate_series(1, $4) RETURNING id`,
      [workspaceId, status, days, count, target],
    );
    return rows.map(({ id }) => id);
  };
  const entry = (message: string): NewLogEntry => ({
    at: new Date(),
    level: 'info',
    event: 'posts_stored',
    message,
    details: {},
  });

  it('is deleted after its retention, with the remains of work lists', async () => {
    const { workspaceId } = await service.createWorkspace();
    const insert = (status: string, days: number | null, count: number) =>
      insertJobs(workspaceId, status, days, { count });
    await insert('completed', 31, 3);
    await insert('failed', 40, 2);
    await insert('cancelled', 29, 1);
    await insert('running', null, 1);
    await insert('pending', null, 1);
    await database.query(
      `INSERT INTO job_posts (workspace_id, job_id, post_id, position, comments_pending)
       SELECT workspace_id, id, 't3_1', 0, true FROM jobs`,
    );
    await database.query(
      `INSERT INTO job_log (workspace_id, job_id, seq, at, level, event, message)
       SELECT workspace_id, id, 1, now(), 'info', 'created', 'The job was created' FROM jobs`,
    );
    const pruner = service.get(JobHistoryPruner);
    expect(await pruner.pruneBatch(2)).toBe(true);
    expect(await pruner.pruneBatch(2)).toBe(true);
    expect(await pruner.pruneBatch(2)).toBe(false);
    const left = await database.query<{ status: string }[]>('SELECT status FROM jobs ORDER BY status');
    expect(left.map(({ status }) => status)).toEqual(['cancelled', 'pending', 'running']);
    const [{ lists }] = await database.query<[{ lists: number }]>(
      'SELECT count(*)::int AS lists FROM job_posts',
    );
    expect(lists).toBe(3);
    const [{ logs }] = await database.query<[{ logs: number }]>('SELECT count(*)::int AS logs FROM job_log');
    expect(logs).toBe(3);
  });

  it('is kept when its retention is 0', () => {
    const steps: string[] = [];
    const environment = { JOB_RETENTION_DAYS: 0 };
    const pruner = { add: (name: string) => steps.push(name) };
    withFakes(JobHistoryPruner, {}, {}, {}, {}, environment, pruner);
    expect(steps).toEqual([]);
  });

  it('keeps the first hundred entries of a log and the newest four hundred', async () => {
    const { workspaceId } = await service.createWorkspace();
    const [jobId] = (await insertJobs(workspaceId, 'pending', null)) as [string];
    const log = service.get(JobLogRepository);
    for (let from = 1; from <= 700; from += 50)
      await log.append(
        workspaceId,
        jobId,
        Array.from({ length: 50 }, (_, index) => entry(`${from + index}`)),
      );
    const kept = (await log.list(workspaceId, jobId)).map(({ message }) => Number(message));
    expect(kept).toHaveLength(500);
    expect([kept[0], kept[99], kept[100], kept.at(-1)]).toEqual([1, 100, 301, 700]);
  });

  it('has no log of a job that was deleted or whose target was erased meanwhile', async () => {
    const { workspaceId } = await service.createWorkspace();
    const log = service.get(JobLogRepository);
    const [erased] = await insertJobs(workspaceId, 'cancelled', 0, { target: ERASED_TARGET });
    for (const jobId of [erased!, randomUUID()]) {
      await log.append(workspaceId, jobId, [entry('late')]);
      expect(await log.list(workspaceId, jobId)).toEqual([]);
    }
  });
});
