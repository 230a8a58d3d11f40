import { createHash } from 'node:crypto';

/** A delay in [0, seconds] that is always the same for a schedule and spread evenly over schedules; whole seconds, in milliseconds. */
export function jitterMs(scheduleId: string, seconds: number): number {
  const hash = createHash('sha256').update(scheduleId).digest().readUIntBE(0, 6);
  return (hash % (seconds + 1)) * 1000;
}
