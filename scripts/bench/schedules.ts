import { setTimeout as wait } from 'node:timers/promises';
import Bull, { type Queue } from 'bull';
import type pg from 'pg';
import { SCRAPE_QUEUE, type ScrapePayload } from '../../src/infrastructure/queue/queues.js';
import { Bench } from './support/harness.js';
import { latencyOf, rounded } from './support/measure.js';

const ACTIVE_SCHEDULES = 100_000;
const WORKSPACES = 100;
const DUE = 1_000;
const SCHEDULERS = 3;
const LEAD_MS = 5_000;
/** Backends report their activity with a delay of up to a second. */
const STATISTICS_MS = 2_000;

/** The service's own scheduler processes with 100,000 schedules, in real time: takes two minutes. */
export function run(): Promise<object> {
  return Bench.run(async (bench) => {
    const database = await bench.client();
    const queue = new Bull<ScrapePayload>(SCRAPE_QUEUE, bench.redisUrl, { prefix: 'wss' });
    bench.atEnd(() => queue.close());
    await fill(database);
    await Promise.all(Array.from({ length: SCHEDULERS }, () => bench.start('scheduler')));
    return {
      active_schedules: ACTIVE_SCHEDULES,
      scheduler_processes: SCHEDULERS,
      // 1,000 due times spread evenly over one real minute; targets: p95 below 2,000 ms, busy below 0.2.
      spread_over_a_minute: await minute(database, queue, 60_000),
      // 1,000 schedules due at the same instant of a real minute.
      all_at_once: await minute(database, queue, 0),
    };
  });
}

async function fill(database: pg.Client): Promise<void> {
  await database.query(
    `INSERT INTO workspaces (id, name) SELECT gen_random_uuid(), 'Bench ' || n FROM generate_series(1, $1) AS n`,
    [WORKSPACES],
  );
  await database.query(
    `INSERT INTO schedules (workspace_id, id, target, target_type, mode, cron_expression, next_run_at, resumed_at)
     SELECT workspaces.id, gen_random_uuid(), 'technology', 'forum', 'full', '0 0 1 1 *',
       now() + interval '1 day' * (1 + random()), now()
     FROM workspaces, generate_series(1, $1)`,
    [ACTIVE_SCHEDULES / WORKSPACES],
  );
  await database.query('VACUUM ANALYZE schedules');
}

/** Makes 1,000 schedules due within `spreadMs`, starting in 5 s, and measures one minute. */
async function minute(database: pg.Client, queue: Queue<ScrapePayload>, spreadMs: number): Promise<object> {
  await queue.empty();
  const begin = Date.now() + LEAD_MS;
  await database.query(
    `UPDATE schedules SET next_run_at = $1::timestamptz + chosen.place * $2 * interval '1 millisecond'
     FROM (SELECT workspace_id, id, row_number() OVER () - 1 AS place
           FROM (SELECT workspace_id, id FROM schedules WHERE last_job_id IS NULL ORDER BY random() LIMIT $3)) AS chosen
     WHERE schedules.workspace_id = chosen.workspace_id AND schedules.id = chosen.id`,
    [new Date(begin), spreadMs / DUE, DUE],
  );
  await wait(begin - Date.now());
  const before = await activity(database);
  await wait(60_000 + STATISTICS_MS);
  const after = await activity(database);

  const { rows } = await database.query<{ job_id: string; due_at: Date }>(
    'SELECT job_id, due_at FROM schedule_runs WHERE due_at >= $1 AND job_id IS NOT NULL',
    [new Date(begin)],
  );
  const dueAt = new Map(rows.map((row) => [row.job_id, row.due_at.getTime()]));
  const lags = (await queue.getWaiting(0, DUE * 2)).flatMap(({ data, timestamp }) =>
    dueAt.has(data.jobId) ? [timestamp - dueAt.get(data.jobId)!] : [],
  );
  const share = (ms: number): number => rounded(ms / (after.at - before.at), 4);
  return {
    due: DUE,
    jobs: lags.length,
    // From the due time until the job is on the queue.
    lag_ms: latencyOf(lags),
    // Share of the time in which statements ran, summed over all connections; then with the time between the
    // statements of a transaction.
    database_busy: share(after.active - before.active),
    database_in_transactions: share(after.active + after.idle - before.active - before.idle),
  };
}

async function activity(database: pg.Client): Promise<{ at: number; active: number; idle: number }> {
  const { rows } = await database.query<{ active: number; idle: number }>(
    `SELECT active_time AS active, idle_in_transaction_time AS idle
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  return { at: Date.now(), ...rows[0]! };
}
