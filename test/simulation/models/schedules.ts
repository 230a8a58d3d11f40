import type pg from 'pg';
import { jitterMs } from '../../../src/collect/schedules/schedule-timing.js';
import { Violation } from '../violation.js';
import { HOUR_MS, type World } from '../world.js';
import { dueInstants } from './local-time.js';

/** Longer than all processes are down at a time. */
const LATEST_MS = 8 * HOUR_MS;

/** Occurrences of schedules have no gap and no double, whatever clocks and processes do. */
export async function checkSchedules(control: pg.Client, world: World, until: number): Promise<void> {
  for (const { id, cronExpression, config } of world.schedules) {
    const broken = (what: string): never => {
      throw new Violation(`Schedule ${id} (${cronExpression}, ${config.timezone}) ${what}`);
    };
    const jitter = jitterMs(id, config.jitter_seconds);
    const due = dueInstants(cronExpression, config.timezone, world.start - jitter, until).map(
      (at) => at + jitter,
    );
    const { rows } = await control.query<{ due_at: Date; recorded_at: Date; jobs: number }>(
      `SELECT due_at, recorded_at, (SELECT count(*)::int FROM jobs WHERE jobs.id = job_id) AS jobs
       FROM schedule_runs WHERE schedule_id = $1 ORDER BY due_at`,
      [id],
    );
    let after = world.start;
    for (const { due_at: dueAt, recorded_at: recordedAt } of rows) {
      const expected = due.find((at) => at > after);
      if (dueAt.getTime() !== expected)
        broken(`was recorded for ${dueAt.toISOString()} instead of ${iso(expected)}`);
      if (recordedAt < dueAt) broken(`was recorded before ${dueAt.toISOString()}`);
      if (recordedAt.getTime() - expected! > LATEST_MS)
        broken(`was recorded late for ${dueAt.toISOString()}`);
      after = recordedAt.getTime();
    }
    const forgotten = due.find((at) => at > after && at < until - LATEST_MS);
    if (forgotten !== undefined) broken(`was not recorded for ${iso(forgotten)}`);
    const { rows: counts } = await control.query<{ jobs: number; counted: number }>(
      `SELECT run_count AS counted, (SELECT count(*)::int FROM jobs WHERE schedule_id = $1) AS jobs
       FROM schedules WHERE id = $1`,
      [id],
    );
    const created = rows.reduce((sum, { jobs }) => sum + jobs, 0);
    if (counts[0]!.jobs !== created || counts[0]!.counted !== created)
      broken(`counts ${counts[0]!.counted} jobs, recorded ${created} and has ${counts[0]!.jobs}`);
  }
}

const iso = (at: number | undefined): string => (at === undefined ? 'nothing' : new Date(at).toISOString());
