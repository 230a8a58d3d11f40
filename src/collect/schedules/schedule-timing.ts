import { createHash } from 'node:crypto';
import { nextRun } from './cron/next-run.js';
import type { ScheduleConfig } from './schedule.entity.js';

/** The fields of a schedule that determine when it is due. */
export interface Timed {
  id: string;
  cronExpression: string;
  config: ScheduleConfig;
}

/**
 * A delay of 0 to `seconds` whole seconds, in milliseconds. It is constant for a schedule and evenly distributed over
 * schedules.
 */
export function jitterMs(scheduleId: string, seconds: number): number {
  const hash = createHash('sha256').update(scheduleId).digest().readUIntBE(0, 6);
  return (hash % (seconds + 1)) * 1000;
}

/**
 * The next due time strictly after an instant: the cron match plus the schedule's jitter. Throws RangeError for an
 * unknown zone.
 */
export function nextDue({ id, cronExpression, config }: Timed, after: Date): Date {
  const jitter = jitterMs(id, config.jitter_seconds ?? 0);
  const match = nextRun(cronExpression, config.timezone ?? 'UTC', new Date(after.getTime() - jitter));
  return new Date(match.getTime() + jitter);
}

/** The next `count` due times strictly after an instant. */
export function upcoming(schedule: Timed, after: Date, count: number): Date[] {
  const times: Date[] = [];
  for (let last = after; times.length < count; times.push(last)) last = nextDue(schedule, last);
  return times;
}
