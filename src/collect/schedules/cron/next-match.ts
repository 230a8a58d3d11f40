import type { CronFields } from './expression.js';

const MINUTE_MS = 60_000;
const MINUTES_OF_A_DAY = 1_440;
/** Search limit: leap days can be eight years apart, across a year such as 2100. */
const MAX_DAYS = 8 * 366;

/**
 * The first match strictly after a time. Both times are local, encoded in milliseconds as if they were UTC. Throws when
 * there is no match, which only happens for expressions that parsing rejects.
 */
export function nextMatch(cron: CronFields, after: number): number {
  const start = Math.floor(after / MINUTE_MS) + 1;
  let day = Math.floor(start / MINUTES_OF_A_DAY);
  let earliest = start - day * MINUTES_OF_A_DAY;
  for (const lastDay = day + MAX_DAYS; day <= lastDay; earliest = 0) {
    const date = new Date(day * MINUTES_OF_A_DAY * MINUTE_MS);
    if (!cron.months.includes(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / MINUTES_OF_A_DAY / MINUTE_MS;
      continue;
    }
    const minute = matchesDay(cron, date) ? firstMinute(cron, earliest) : undefined;
    if (minute !== undefined) return (day * MINUTES_OF_A_DAY + minute) * MINUTE_MS;
    day++;
  }
  throw new Error('The cron expression has no next match');
}

function matchesDay(cron: CronFields, date: Date): boolean {
  const dayOfMonth = cron.daysOfMonth.includes(date.getUTCDate());
  const dayOfWeek = cron.daysOfWeek.includes(date.getUTCDay());
  return cron.restrictsDayOfMonth && cron.restrictsDayOfWeek
    ? dayOfMonth || dayOfWeek
    : dayOfMonth && dayOfWeek;
}

/** The first matching minute of a day, counted from midnight. The library sorts the values of a field. */
function firstMinute(cron: CronFields, earliest: number): number | undefined {
  for (const hour of cron.hours)
    for (const minute of cron.minutes) if (hour * 60 + minute >= earliest) return hour * 60 + minute;
  return undefined;
}
