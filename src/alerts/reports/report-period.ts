import { firstInstantOf } from '../../common/time-zone.js';
import { DAY_MS, releaseTime, startOfDay, wallOf, WEEKDAYS } from '../alert/release-time.js';
import type { ReportPeriod, ReportTimesDto } from './report-content.dto.js';

/** When a report is sent. */
export interface ReportPlan {
  every: ReportPeriod;
  /** Local time, `HH:MM`. */
  at: string;
  /** On which a week ends. */
  weekday: (typeof WEEKDAYS)[number];
  timezone: string;
}

const DEFAULTS: ReportPlan = { every: 'week', at: '08:00', weekday: 'monday', timezone: 'UTC' };

/** The plan of a request that changes a plan, by default a new one. */
export const planOf = (
  request: { [Key in keyof ReportPlan]?: ReportPlan[Key] | undefined },
  before: ReportPlan = DEFAULTS,
): ReportPlan => ({
  every: request.every ?? before.every,
  at: request.at ?? before.at,
  weekday: request.weekday ?? before.weekday,
  timezone: request.timezone ?? before.timezone,
});

/** Whether two plans have the same times. */
export const isSamePlan = (one: ReportPlan, other: ReportPlan): boolean =>
  (['every', 'at', 'weekday', 'timezone'] as const).every((key) => one[key] === other[key]);

/** Periods that a stopped scheduler missed; only the last one is reported. */
const MAX_MISSED = 10_000;

/** The instant after `now` at which the report is sent, in milliseconds. */
export const nextSending = (plan: ReportPlan, now: number): number =>
  releaseTime({ ...plan, quiet: null, max_per_hour: null }, now, false)!;

/** The last instant up to `now` at which a report is sent that was due at `dueAt`. */
export function lastSending(plan: ReportPlan, dueAt: number, now: number): number {
  let last = dueAt;
  for (let missed = 0; missed < MAX_MISSED; missed += 1) {
    const next = nextSending(plan, last);
    if (next > now) break;
    last = next;
  }
  return last;
}

/** The last period that is over at `now`, from local midnight to local midnight, and the one before. */
export function periodsBefore(
  { every, weekday, timezone }: Omit<ReportPlan, 'at'>,
  now: number,
): { period: ReportTimesDto; previous: ReportTimesDto } {
  let end = startOfDay(wallOf(timezone, now));
  if (every === 'week') while (WEEKDAYS[new Date(end).getUTCDay()] !== weekday) end -= DAY_MS;
  if (every === 'month') end = monthsFrom(end, 0);
  const back = (count: number): Date => {
    const start =
      every === 'month' ? monthsFrom(end, -count) : end - count * (every === 'week' ? 7 : 1) * DAY_MS;
    return new Date(firstInstantOf(timezone, start));
  };
  return { period: { from: back(1), to: back(0) }, previous: { from: back(2), to: back(1) } };
}

/** The beginning of the month that is a number of months from that of a wall time. */
function monthsFrom(wall: number, months: number): number {
  const date = new Date(wall);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
}
