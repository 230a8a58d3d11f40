import { Problem } from '../../http/problems/problem.js';
import type { Schedule } from './schedule.entity.js';

/** Converts the error for a stored time zone that the IANA database no longer contains into a validation problem. */
export function withValidZone<T>(times: () => T): T {
  try {
    return times();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'config.timezone is no longer a known time zone';
    throw Problem.validation([{ field: 'config.timezone', message }]);
  }
}

/** Throws 404 for null. */
export function found(schedule: Schedule | null): Schedule {
  if (schedule === null) throw Problem.notFound('schedule');
  return schedule;
}
