import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jitterMs } from '../../src/collect/schedules/schedule-timing.js';
import { createTestDatabase, openDataSource } from '../support/database.js';
import { insertSchedules, type NewSchedule, numberedId, SimulatedClock } from '../support/schedules.js';

const SECONDS = 30;
const DUE_A_SECOND = 200;
const MINUTES = 2;
const CLAIMERS = 3;
const LOOKS = 50;
/** Real time that a simulated second takes. */
const SECOND_MS = 100;
const WORKSPACE = numberedId(-1);
const BEGIN = Date.parse('2026-11-21T12:00:00Z');

/** Schedules for every minute; their jitter spreads them, 200 per second over 30 seconds. Half of them queue. */
function manySchedules(): NewSchedule[] {
  const left = Array.from({ length: SECONDS }, () => DUE_A_SECOND);
  const schedules: NewSchedule[] = [];
  for (let number = 0; schedules.length < SECONDS * DUE_A_SECOND; number++) {
    const id = numberedId(number);
    const second = jitterMs(id, SECONDS - 1) / 1000;
    if (left[second]!-- <= 0) continue;
    const overlap = schedules.length % 2 === 0 ? 'queue' : 'skip';
    schedules.push({ id, cronExpression: '* * * * *', config: { jitter_seconds: SECONDS - 1, overlap } });
  }
  return schedules;
}

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);

describe('three scheduler processes that are killed at random', () => {
  let clock: SimulatedClock;
  const started: ChildProcess[] = [];
  const claimers = new Map<number, ChildProcess>();

  const startClaimer = async (): Promise<void> => {
    const child = fork(join(import.meta.dirname, 'schedule-claimer-process.js'), [database.url], {
      execArgv: [],
    });
    started.push(child);
    // It may be killed only from now on: waiting for the message of a child that had already exited would never end.
    await once(child, 'message');
    claimers.set(child.pid!, child);
  };
  /** A claimer that is inside a transaction at the moment. */
  const busyClaimer = async (): Promise<{ pid: number; backend: number } | undefined> => {
    for (let look = 0; look < LOOKS; look++) {
      const rows = await dataSource.query<{ pid: number; backend: number }[]>(
        `SELECT substr(application_name, 9)::int AS pid, pid AS backend FROM pg_stat_activity
         WHERE datname = current_database() AND application_name LIKE 'claimer-%' AND xact_start IS NOT NULL`,
      );
      const busy = rows.find((row) => claimers.has(row.pid));
      if (busy !== undefined) return busy;
    }
    return undefined;
  };
  const dueNow = async (): Promise<number> => {
    const [row] = await dataSource.query<[{ due: number }]>(
      `SELECT count(*)::int AS due FROM schedules WHERE is_active AND next_run_at <= (SELECT now FROM simulated_clock)`,
    );
    return row.due;
  };

  beforeAll(async () => {
    clock = await SimulatedClock.start(dataSource.manager, new Date(BEGIN - 1));
    await dataSource.query('INSERT INTO workspaces (id, name) VALUES ($1, $2)', [WORKSPACE, 'Killed']);
    await insertSchedules(dataSource.manager, WORKSPACE, manySchedules(), new Date(BEGIN - 1));
  });
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });

  it('record every due time exactly once', async () => {
    await Promise.all(Array.from({ length: CLAIMERS }, startClaimer));
    const restarts: Promise<void>[] = [];
    let killed = 0;
    let cut = 0;
    for (let minute = 0; minute < MINUTES; minute++) {
      for (let second = 0; second < SECONDS; second++) {
        await clock.set(dataSource.manager, new Date(BEGIN + minute * 60_000 + second * 1_000));
        const victim = second % 3 === 0 ? await busyClaimer() : undefined;
        if (victim !== undefined && second % 2 === 0) {
          claimers.get(victim.pid)!.kill('SIGKILL');
          claimers.delete(victim.pid);
          killed++;
          restarts.push(startClaimer());
        } else if (victim !== undefined) {
          await dataSource.query('SELECT pg_terminate_backend($1)', [victim.backend]);
          cut++;
        }
        await wait(SECOND_MS);
      }
      await Promise.all(restarts);
      const deadline = Date.now() + 60_000;
      while ((await dueNow()) > 0 && Date.now() < deadline) await wait(20);
      expect(await dueNow()).toBe(0);
    }
    expect(killed).toBeGreaterThan(0);
    expect(cut).toBeGreaterThan(0);

    const settled = await dataSource.query<Record<string, number>[]>(
      `SELECT extract(epoch FROM run.due_at)::int AS due, count(*)::int AS runs,
         count(run.job_id)::int AS jobs, count(run.skip_reason)::int AS skips,
         count(DISTINCT run.schedule_id)::int AS schedules, count(job.id)::int AS existing
       FROM schedule_runs AS run
       LEFT JOIN jobs AS job ON job.workspace_id = run.workspace_id AND job.id = run.job_id
         AND job.schedule_id = run.schedule_id
       GROUP BY run.due_at ORDER BY run.due_at`,
    );
    expect(settled).toHaveLength(SECONDS * MINUTES);
    settled.forEach((second, index) => {
      const minute = Math.floor(index / SECONDS);
      expect(second).toMatchObject({
        due: BEGIN / 1000 + minute * 60 + (index % SECONDS),
        runs: DUE_A_SECOND,
        schedules: DUE_A_SECOND,
      });
      expect(second.jobs! + second.skips!).toBe(DUE_A_SECOND);
      expect(second.existing).toBe(second.jobs);
    });
    // The jobs of the first minute never start, so in the second minute the schedules that do not queue are skipped.
    const total = SECONDS * DUE_A_SECOND;
    const [counts] = await dataSource.query<[Record<string, number>]>(
      `SELECT (SELECT count(*)::int FROM jobs) AS jobs,
         (SELECT count(*)::int FROM schedule_runs WHERE skip_reason = 'previous_job_unfinished') AS skips,
         (SELECT sum(run_count)::int FROM schedules) AS run_count`,
    );
    expect(counts).toEqual({ jobs: total * 1.5, skips: total / 2, run_count: total * 1.5 });
  });
});
