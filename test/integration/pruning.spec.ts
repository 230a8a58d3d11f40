import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Pruner } from '../../src/infrastructure/pruning/pruner.js';
import { AlertMatchesRepository } from '../../src/modules/alerts/alert-matches.repository.js';
import { AlertsService } from '../../src/modules/alerts/alerts.service.js';
import { IdempotencyRepository } from '../../src/modules/idempotency/idempotency.repository.js';
import { JobWorker } from '../../src/modules/scraping/job-worker.js';
import { startTestApplication, type TestApplication } from '../support/application.js';

const DAY = "interval '1 day'";

describe('what has expired', () => {
  let service: TestApplication;
  let database: DataSource;
  let workspaceId: string;
  let alertId: string;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'worker,scheduler' });
    database = service.app.get(DataSource);
    await service.app.get(JobWorker, { strict: false }).beforeApplicationShutdown();
  });
  beforeEach(async () => {
    ({ workspaceId } = await service.createWorkspace());
    const alert = await service.app
      .get(AlertsService, { strict: false })
      .create(workspaceId, { name: 'Test', keywords: ['rust'] });
    alertId = alert.id.slice(alert.id.indexOf('_') + 1);
    for (const table of ['idempotency_keys', 'alert_matches']) await database.query(`DELETE FROM ${table}`);
  });
  afterAll(() => service.close());

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
  const left = async (table: string, column: string) =>
    (
      await database.query<{ value: string }[]>(
        `SELECT ${column} AS value FROM ${table} WHERE workspace_id = $1 ORDER BY 1`,
        [workspaceId],
      )
    ).map(({ value }) => value);

  it('is deleted by one pass over every kind of row, and what has not expired stays', async () => {
    await insertMatches(['t3_new'], 89);
    await insertMatches(['t3_old'], 91);
    await insertKeys(['new'], 0.95);
    await insertKeys(['old'], 1.05);
    await database.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments,
         status, completed_at)
       SELECT $1, gen_random_uuid(), target, 'forum', 'full', 20, true, true, 'completed', now() - days * ${DAY}
       FROM (VALUES ('new', 89), ('old', 91)) AS job (target, days)`,
      [workspaceId],
    );
    await database.query(
      `INSERT INTO outbox_events (workspace_id, id, type, unique_key, data, relayed_at)
       SELECT $1, gen_random_uuid(), 'job.failed', name, '{}', now() - days * ${DAY}
       FROM (VALUES ('new', 29), ('old', 31)) AS event (name, days)`,
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

    await database.query(
      `INSERT INTO audit_entries (id, recorded_at, actor, action, target_workspace_id)
       SELECT gen_random_uuid(), now() - days * ${DAY}, 'admin', name, $1
       FROM (VALUES ('new', 364), ('old', 366)) AS entry (name, days)`,
      [workspaceId],
    );

    const pruner = service.app.get(Pruner);
    for (let pass = 0; pass < 100 && (await pruner.pruneNext()); pass += 1);

    expect(await left('alert_matches', 'post_id')).toEqual(['t3_new']);
    expect(await left('idempotency_keys', 'key')).toEqual(['new']);
    expect(await left('jobs', 'target')).toEqual(['new']);
    expect(await left('outbox_events', 'unique_key')).toEqual(['new']);
    const entries = await database.query('SELECT action FROM audit_entries WHERE target_workspace_id = $1', [
      workspaceId,
    ]);
    expect(entries).toEqual([{ action: 'new' }]);
    // The ten newest occurrences of a schedule stay whatever their age.
    expect(await left('schedule_runs', 'due_at::text')).toHaveLength(10);
  });

  it('is deleted in bounded batches, the oldest first', async () => {
    const matches = service.app.get(AlertMatchesRepository, { strict: false });
    await insertMatches(['t3_b'], 92);
    await insertMatches(['t3_a', 't3_c'], 91);
    expect(await matches.deleteOlderThan(90, 1)).toBe(1);
    expect(await left('alert_matches', 'post_id')).toEqual(['t3_a', 't3_c']);
    expect(await matches.deleteOlderThan(90, 10)).toBe(2);
    const keys = service.app.get(IdempotencyRepository, { strict: false });
    await insertKeys(['b'], 3);
    await insertKeys(['a', 'c'], 2);
    expect(await keys.deleteExpired(86_400_000, 1)).toBe(1);
    expect(await left('idempotency_keys', 'key')).toEqual(['a', 'c']);
    expect(await keys.deleteExpired(86_400_000, 10)).toBe(2);
  });
});
