import { firstInstantOf, offsetAt } from '../../common/time-zone.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Length of a day without a change of clocks, in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;

/** How often a channel is notified: of every match at once, or by one digest a period. */
export const PERIODS = ['match', 'hour', 'day', 'week'] as const;
/** Days of the week, Sunday first as in `Date.getUTCDay`. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
/** A local time, `HH:MM`. */
export const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** When a channel is notified. Times are local to the time zone. */
export interface DeliveryPlan {
  every: (typeof PERIODS)[number];
  at: string;
  weekday: (typeof WEEKDAYS)[number];
  timezone: string;
  /** Nothing is sent from one time to the other, which may be on the next day. */
  quiet: { from: string; to: string } | null;
  /** Null for no limit. */
  max_per_hour: number | null;
}

/** A plan that may be monthly, on the first of a month, as only those of reports are. */
type ReleasePlan = Omit<DeliveryPlan, 'every'> & { every: DeliveryPlan['every'] | 'month' };

/**
 * The instant at which a notification of a match at `now` is sent, in milliseconds; null for at once. `isFull` says
 * whether the channel was notified `max_per_hour` times since the hour began.
 */
export function releaseTime(plan: ReleasePlan, now: number, isFull: boolean): number | null {
  const due = plan.every === 'match' ? (isFull ? nextHour('UTC', now) : now) : nextPeriod(plan, now);
  const released = plan.quiet === null ? due : endOfQuiet(plan.quiet, plan.timezone, due);
  return released === now ? null : released;
}

/** When a digest that is due is sent, which may be late, in milliseconds; null for at once. */
export const digestTime = (plan: DeliveryPlan, now: number, isFull: boolean): number | null =>
  releaseTime({ ...plan, every: 'match' }, now, isFull);

/** An hour, and how often an alert's channel was notified in it. */
interface SentInHour {
  sentHour: Date | null;
  sentInHour: number;
}

/** The hour of an instant, and how often an alert's channel was notified in it. */
export function sentInHourOf(
  { sentHour, sentInHour }: SentInHour,
  instant: Date,
): SentInHour & { sentHour: Date } {
  const hour = new Date(hourOf(instant.getTime()));
  return { sentHour: hour, sentInHour: sentHour?.getTime() === hour.getTime() ? sentInHour : 0 };
}

/** Whether the channel was notified as often as its plan allows in an hour. */
export const isOverLimit = ({ max_per_hour: limit }: DeliveryPlan, sentInHour: number): boolean =>
  limit !== null && sentInHour >= limit;

/**
 * When a notification of its own, which joins no digest, is sent: null for at once, later than hours that are full
 * already. `sent` is the last hour with such a notification, which may be to come, and their number in it.
 */
export function turnOf(
  plan: DeliveryPlan,
  sent: SentInHour,
  now: Date,
): SentInHour & { release: Date | null } {
  const due = releaseTime(plan, now.getTime(), false) ?? now.getTime();
  const earliest = plan.max_per_hour === null ? due : Math.max(due, sent.sentHour?.getTime() ?? 0);
  const isFull = isOverLimit(plan, sentInHourOf(sent, new Date(earliest)).sentInHour);
  const at = new Date(digestTime(plan, earliest, isFull) ?? earliest);
  const { sentHour, sentInHour } = sentInHourOf(sent, at);
  return { release: at.getTime() === now.getTime() ? null : at, sentHour, sentInHour: sentInHour + 1 };
}

/** Start of the hour of UTC that contains an instant. */
const hourOf = (instant: number): number => Math.floor(instant / HOUR_MS) * HOUR_MS;

function nextPeriod({ every, at, weekday, timezone }: ReleasePlan, now: number): number {
  if (every === 'hour') return nextHour(timezone, now);
  const today = startOfDay(wallOf(timezone, now));
  // A month and a day contain a later occurrence of any local time, whatever the clocks do.
  for (let day = -1; day <= 32; day += 1) {
    const date = today + day * DAY_MS;
    if (every === 'week' && WEEKDAYS[new Date(date).getUTCDay()] !== weekday) continue;
    if (every === 'month' && new Date(date).getUTCDate() !== 1) continue;
    const instant = firstInstantOf(timezone, date + minutesOf(at) * MINUTE_MS);
    if (instant > now) return instant;
  }
  throw new Error(`No time ${at} in ${timezone} after ${new Date(now).toISOString()}`);
}

/** The next full hour of the zone's clocks. */
function nextHour(timezone: string, now: number): number {
  const wall = wallOf(timezone, now);
  return now + (hourOf(wall) + HOUR_MS - wall);
}

/** The instant itself, or when the quiet hours that contain it end. */
function endOfQuiet({ from, to }: { from: string; to: string }, timezone: string, instant: number): number {
  const wall = wallOf(timezone, instant);
  const day = startOfDay(wall);
  const minute = Math.floor((wall - day) / MINUTE_MS);
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
  if (!isQuiet) return instant;
  const lastDay = start > end && minute >= start ? day + DAY_MS : day;
  // In an hour that the clocks repeat, the end may already be over.
  return Math.max(instant, firstInstantOf(timezone, lastDay + end * MINUTE_MS));
}

/** What the zone's clocks show at an instant, given as if it were UTC. */
export const wallOf = (timezone: string, instant: number): number => instant + offsetAt(timezone, instant);
/** Midnight of the day that contains a wall time. */
export const startOfDay = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS;
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
