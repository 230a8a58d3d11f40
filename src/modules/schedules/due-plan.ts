import { publicId } from '../../common/ids.js';
import type { PlatformErrorCode } from '../../platforms/platform.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import type { SkipReason } from './schedule-run.entity.js';
import { nextDue } from './schedule-timing.js';
import type { Schedule } from './schedule.entity.js';
import { scheduledJob } from './scheduled-job.js';

/** Failures that running again will not heal. */
export const LASTING_FAILURES: readonly PlatformErrorCode[] = [
  'target_not_found',
  'target_private',
  'target_banned',
  'target_quarantined',
  'target_gated',
  'target_forbidden',
  'credentials_refused',
];

/** A schedule whose newest jobs all failed lastingly is paused when there are this many of them. */
export const FAILURES_BEFORE_PAUSE = 3;

/** The newest job of a schedule. */
export interface LastJob {
  id: string;
  status: JobStatus;
  errorMessage: string | null;
  /** How many of the schedule's newest {@link FAILURES_BEFORE_PAUSE} jobs since it was resumed failed lastingly. */
  lastingFailures: number;
}

/** What becomes of one due time. */
export interface DuePlan {
  schedule: Schedule;
  /** The oldest due time that nobody got to; later ones up to now are made up by this one run. */
  dueAt: Date;
  nextRunAt: Date;
  job: Job | null;
  skip: { reason: SkipReason; detail: string } | null;
  pause: boolean;
}

/** Decides on a schedule that is due. */
export function planDue(schedule: Schedule, lastJob: LastJob | null, now: Date): DuePlan {
  const plan = { schedule, dueAt: schedule.nextRunAt, job: null, skip: null, pause: false };
  const skip = (reason: SkipReason, detail: string) => ({ reason, detail });

  let nextRunAt: Date;
  try {
    nextRunAt = nextDue(schedule, now);
  } catch (error) {
    // Stored timings were valid once; time zones are removed now and then. One such must not hold up the others.
    const detail = `Paused: the timing cannot be used any more (${(error as Error).message})`;
    return { ...plan, nextRunAt: plan.dueAt, skip: skip('timing_unusable', detail), pause: true };
  }
  if (lastJob !== null && lastJob.lastingFailures >= FAILURES_BEFORE_PAUSE) {
    const detail = `Paused: the last ${FAILURES_BEFORE_PAUSE} jobs failed for a reason that running again will not heal: ${lastJob.errorMessage ?? 'unknown'}`;
    return { ...plan, nextRunAt, skip: skip('paused_after_failures', detail), pause: true };
  }
  const unfinished = lastJob?.status === 'pending' || lastJob?.status === 'running';
  if (lastJob !== null && unfinished && schedule.config.overlap !== 'queue') {
    const detail = `The last job, ${publicId('job', lastJob.id)}, was still ${lastJob.status}`;
    return { ...plan, nextRunAt, skip: skip('previous_job_unfinished', detail) };
  }
  return { ...plan, nextRunAt, job: scheduledJob(schedule, now) };
}
