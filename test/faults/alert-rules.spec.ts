import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { newId } from '../../src/common/ids.js';
import { startTestApplication, type TestApplication } from '../support/application.js';
import { startBreakableApplication } from '../support/breakable-application.js';
import { call, requestAs } from '../support/client.js';
import { type JobRecord, runJob } from '../support/jobs.js';
import { evaluate, readScrape, type Scrape } from '../support/promql.js';
import { HttpReceiver } from '../support/receivers.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { until } from '../support/until.js';

const RULES = readFileSync(join(import.meta.dirname, '../../../docker/prometheus/alerts.yml'), 'utf8');
const FORUMS = { quick: { posts: 20, commentsPerPost: 1 }, slow: { posts: 1_000, commentsPerPost: 0 } };
const POSTS_ONLY = { scrape_comments: false, download_media: false };
/** Simulated time between two scrapes, in seconds. */
const APART = 60;

/** Expressions by alert; in the file, each is on one line. */
const rules = new Map(
  [...RULES.matchAll(/- alert: (\w+)\n\s+expr: (.+)\n/g)].map(([, alert, expression]) => [
    alert!,
    expression!,
  ]),
);

const sandbox = await openSandbox({ forums: FORUMS, latencyMs: 100 });
const receiver = await HttpReceiver.start();
const service = await startBreakableApplication({
  ...scrapingFrom(sandbox.baseUrl),
  ROLES: 'api,worker,scheduler',
  OUTBOUND_ALLOWED_CIDRS: '127.0.0.0/8',
});
const dataSource = service.app.get(DataSource);
const workspace = await service.createWorkspace();

describe('alert rules', () => {
  const fired = new Set<string>();

  const query = <T>(sql: string, parameters: unknown[] = []): Promise<T> =>
    dataSource.query<T>(sql, parameters);
  const bare = (id: string): string => id.slice(id.indexOf('_') + 1);

  async function scrape(of: Pick<TestApplication, 'url'> = service): Promise<Scrape> {
    const text = await (await fetch(`${of.url}/metrics`)).text();
    return readScrape(0, `${text}up{job="wss",instance="api:3000"} 1\n`);
  }

  /** The alerts that fire at the second of two scrapes, as if they were a minute apart. */
  const firing = (before: Scrape, after: Scrape): string[] =>
    [...rules]
      .filter(([, expression]) => evaluate(expression, [before, { ...after, at: APART }]).length > 0)
      .map(([alert]) => alert);

  /** Provokes a fault between two scrapes; `provoke` may return the second one. */
  async function expectFiring(alerts: string[], provoke: () => Promise<Scrape | undefined>): Promise<void> {
    const before = await scrape();
    const after = (await provoke()) ?? (await scrape());
    const seen = firing(before, after);
    for (const alert of alerts) {
      expect(seen).toContain(alert);
      fired.add(alert);
    }
  }

  /** Runs the work while another connection holds the locks of the statement. */
  async function whileLocked(statement: string, work: () => Promise<unknown>): Promise<void> {
    const runner: QueryRunner = dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(statement);
      await work();
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  }

  /** Waits until a statement finds a row. */
  const found = (sql: string, parameters: unknown[] = []): Promise<boolean> =>
    until(async () => (await query<unknown[]>(sql, parameters)).length > 0);

  it('are silent while jobs, exports, schedules and deliveries succeed', async () => {
    expect(rules.size).toBe(RULES.split('- alert:').length - 1);
    await call(service, workspace, 'POST', '/webhooks', { url: receiver.url });
    await call(service, workspace, 'POST', '/schedules', {
      target: 'quick',
      mode: 'monitor',
      cron_expression: '* * * * *',
    });
    // The first job of a process takes longer, because its statements are prepared and its code is compiled.
    await runJob(service, workspace, { target: 'quick', limit: 20 });
    const before = await scrape();
    await runJob(service, workspace, { target: 'quick', limit: 20 });
    await receiver.received(2);
    await call(service, workspace, 'POST', '/exports', { of: 'posts', format: 'csv' });
    await found(`SELECT 1 FROM exports WHERE status = 'completed'`);
    for (let n = 0; n < 20; n += 1) await call(service, workspace, 'GET', '/posts');
    expect(firing(before, await scrape())).toEqual([]);
  });

  it('fire for missing processes', async () => {
    const up = readScrape(0, 'up{job="wss",instance="api:3000"} 0\nup{job="other"} 0\n');
    expect(evaluate(rules.get('ServiceDown')!, [up])).toHaveLength(1);
    fired.add('ServiceDown');
    const api = await startTestApplication({ ROLES: 'api' });
    await expectFiring(['NoWorker', 'NoScheduler'], () => scrape(api));
  });

  it('fire for failing requests while Postgres is away', async () => {
    const getJobs = () => requestAs(service, workspace, 'GET', '/jobs').then(({ status }) => status);
    const outage = async (): Promise<undefined> => {
      service.postgres.cut();
      const statuses = await Promise.all(Array.from({ length: 20 }, getJobs));
      service.postgres.restore();
      expect(statuses).toContain(503);
      await until(async () => (await getJobs()) === 200);
    };
    // A series counts only from its second scrape on.
    await outage();
    await expectFiring(['RequestsFail'], outage);
  });

  it('fire for slow requests and waits for connections', async () => {
    await expectFiring(['RequestsSlow', 'DatabasePoolBusy'], async () => {
      let answers: Promise<unknown> = Promise.resolve();
      await whileLocked('LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE', async () => {
        answers = Promise.all(
          Array.from({ length: 60 }, () =>
            requestAs(service, workspace, 'GET', '/jobs').then(() => undefined),
          ),
        );
        await sleep(2_500);
      });
      await answers;
      return undefined;
    });
  });

  it('fire for waiting jobs', async () => {
    await expectFiring(['JobsWait'], async () => {
      let after: Scrape | undefined;
      await whileLocked(`SELECT pg_advisory_xact_lock(hashtextextended('job claims', 0))`, async () => {
        const { id } = await call<JobRecord>(service, workspace, 'POST', '/jobs', {
          ...POSTS_ONLY,
          target: 'quick',
        });
        await query(`UPDATE jobs SET created_at = now() - interval '16 minutes' WHERE id = $1`, [bare(id)]);
        after = await scrape();
      });
      return after;
    });
  });

  it('fire for late schedules', async () => {
    await expectFiring(['SchedulesLate'], async () => {
      let after: Scrape | undefined;
      const [schedule] = await query<[{ id: string }]>('SELECT id FROM schedules LIMIT 1');
      // Schedulers skip the locked row, but its time can still be changed.
      await whileLocked(`SELECT 1 FROM schedules WHERE id = '${schedule.id}' FOR KEY SHARE`, async () => {
        await query(`UPDATE schedules SET next_run_at = now() - interval '2 minutes' WHERE id = $1`, [
          schedule.id,
        ]);
        after = await scrape();
      });
      return after;
    });
  });

  it('fire for jobs that end with an internal error and for lost leases', async () => {
    const fail = async (): Promise<void> => {
      const { id } = await call<JobRecord>(service, workspace, 'POST', '/jobs', {
        ...POSTS_ONLY,
        target: 'slow',
        limit: 1_000,
      });
      await found('SELECT 1 FROM job_executions WHERE job_id = $1 AND lease_owner IS NOT NULL', [bare(id)]);
      await query(
        `UPDATE job_executions SET attempts = 20, lease_owner = NULL, lease_until = now() WHERE job_id = $1`,
        [bare(id)],
      );
      await found(`SELECT 1 FROM jobs WHERE id = $1 AND error_code = 'internal_error'`, [bare(id)]);
    };
    const lost = ({ samples }: Scrape) =>
      samples.find(({ labels }) => labels.__name__ === 'wss_leases_lost_total')!.value;
    await fail();
    await until(async () => lost(await scrape()) >= 1);
    await expectFiring(['JobsFail', 'LeasesLost'], async () => {
      for (let n = 0; n < 4; n += 1) await fail();
      await until(async () => lost(await scrape()) >= 5);
      return undefined;
    });
  });

  it('fire for a worker whose claims the database refuses', async () => {
    await expectFiring(['JobClaimsFail'], async () => {
      await query(
        `CREATE FUNCTION refuse_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
      );
      await query(
        'CREATE TRIGGER refuse BEFORE INSERT ON job_executions FOR EACH ROW EXECUTE FUNCTION refuse_claim()',
      );
      const job = runJob(service, workspace, { ...POSTS_ONLY, target: 'quick' });
      const failing = ({ samples }: Scrape) =>
        samples.find(({ labels }) => labels.__name__ === 'wss_job_claims_failing_seconds')!.value;
      let after: Scrape;
      await until(async () => failing((after = await scrape())) > 0);
      await query('DROP TRIGGER refuse ON job_executions');
      await until(async () => failing(await scrape()) === 0);
      await job;
      return after!;
    });
  });

  it('fire for a failing platform', async () => {
    const control = async (body: object): Promise<void> => {
      const { status } = await fetch(`${sandbox.baseUrl}/__control/faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(status).toBe(200);
    };
    const refused = async (): Promise<number> =>
      (await scrape()).samples.find(
        ({ labels }) => labels.__name__ === 'wss_platform_requests_total' && labels.status === '503',
      )?.value ?? 0;
    await control({ rate: 1, kinds: ['503'], max_in_a_row: 1_000 });
    await call(service, workspace, 'POST', '/jobs', { ...POSTS_ONLY, target: 'quick' });
    await until(async () => (await refused()) >= 1);
    const first = await refused();
    await expectFiring(['PlatformFails'], async () => {
      await until(async () => (await refused()) > first);
      return undefined;
    });
    await control({ rate: 0 });
  });

  it('fire for batches that are stored slowly', async () => {
    await expectFiring(['BatchesSlow'], async () => {
      let job: Promise<unknown> = Promise.resolve();
      await whileLocked('LOCK TABLE posts IN SHARE MODE', async () => {
        job = runJob(service, workspace, { ...POSTS_ONLY, target: 'quick' });
        await found(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%posts%'`);
        await sleep(3_000);
      });
      await job;
      return undefined;
    });
  });

  it('fire for events that are not relayed or are set aside', async () => {
    await expectFiring(['OutboxLags', 'EventsSetAside'], async () => {
      const [late, poison] = [newId(), newId()];
      await query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF NEW.event_id = '${poison}' THEN RAISE EXCEPTION 'refused by the test'; END IF;
           RETURN NULL;
         END $$`,
      );
      await query('CREATE TRIGGER refuse AFTER INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION refuse()');
      await query(
        `INSERT INTO outbox_events (workspace_id, id, type, unique_key, subject_kind, subject_id, data, created_at,
           relay_failures, relay_not_before)
         SELECT $1, id, 'job.completed', id::text, 'job', gen_random_uuid(), '{}', now() - interval '2 minutes', failures, due
         FROM (VALUES ($2::uuid, 1, now() + interval '1 hour'), ($3::uuid, 7, NULL)) AS event (id, failures, due)`,
        [workspace.workspaceId, late, poison],
      );
      await found('SELECT 1 FROM outbox_events WHERE id = $1 AND set_aside_at IS NOT NULL', [poison]);
      await query('DROP TRIGGER refuse ON deliveries');
      return undefined;
    });
  });

  it('fire for failing destinations and failed exports', async () => {
    await expectFiring(['DestinationsFail', 'ExportsFail'], async () => {
      await query(
        `INSERT INTO destination_queues (workspace_id, destination_kind, destination_id, failures)
         SELECT $1, 'webhook', gen_random_uuid(), 5 FROM generate_series(1, 11)`,
        [workspace.workspaceId],
      );
      await query(
        `INSERT INTO exports (workspace_id, id, kind, format, filters, changed_since, database_id)
         VALUES ($1, gen_random_uuid(), 'posts', 'csv', '{}', 1, 'of a backup')`,
        [workspace.workspaceId],
      );
      await found(`SELECT 1 FROM exports WHERE status = 'failed'`);
      return undefined;
    });
  });

  it('are silent again after the faults', async () => {
    await query('DELETE FROM outbox_events');
    await query('DELETE FROM destination_queues WHERE failures > 0');
    await found(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE status IN ('pending', 'running'))`);
    const before = await scrape();
    await runJob(service, workspace, { ...POSTS_ONLY, target: 'quick' });
    for (let n = 0; n < 20; n += 1) await call(service, workspace, 'GET', '/posts');
    expect(firing(before, await scrape())).toEqual([]);
  });

  it('were all provoked', () => {
    expect([...fired].sort()).toEqual([...rules.keys()].sort());
  });
});
