import { type CronFields, parseExpression } from './expression.js';
import { nextMatch } from './next-match.js';
import { firstChange, firstInstantOf, offsetAt } from '../../../common/time-zone.js';

const HOURS_OF_A_DAY = 24;
/** More than the minutes of a doubled hour, and than the clock changes in the years between two leap days. */
const MAX_STEPS = 4_000;

/**
 * The first run of a cron expression strictly after an instant, by the clocks of a zone.
 *
 * An expression that names hours follows the wall clock: a run in a skipped hour happens once, when the gap ends,
 * and one in a doubled hour happens once, the first time. An expression for every hour follows elapsed time instead:
 * it continues through a doubled hour, and a skipped hour has no run.
 *
 * Throws `CronExpressionError` for an expression outside the dialect, RangeError for an unknown zone.
 */
export function nextRun(expression: string, zone: string, after: Date): Date {
  const cron = parseExpression(expression);
  const next = cron.hours.length === HOURS_OF_A_DAY ? nextByElapsedTime : nextByWallClock;
  return new Date(next(cron, zone, after.getTime()));
}

function nextByWallClock(cron: CronFields, zone: string, after: number): number {
  let wall = after + offsetAt(zone, after);
  for (let step = 0; step < MAX_STEPS; step++) {
    wall = nextMatch(cron, wall);
    const instant = firstInstantOf(zone, wall);
    // In the second pass of a doubled hour the match has already occurred.
    if (instant > after) return instant;
  }
  throw new Error('The cron expression has no next run');
}

function nextByElapsedTime(cron: CronFields, zone: string, after: number): number {
  let cursor = after;
  for (let step = 0; step < MAX_STEPS; step++) {
    const offset = offsetAt(zone, cursor + 1);
    const candidate = nextMatch(cron, cursor + offset) - offset;
    const change = firstChange(zone, cursor + 1, candidate);
    if (change === null) return candidate;
    cursor = change - 1;
  }
  throw new Error('The cron expression has no next run');
}
