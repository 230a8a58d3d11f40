import { publicId } from '../../common/ids.js';
import type { PlatformErrorCode } from '../../platforms/platform.js';
import type { Job, JobStatus } from '../jobs/job.entity.js';
import type { JobState } from '../jobs/scheduled-jobs.repository.js';
import type { SkipReason } from './occurrence.entity.js';
import { nextDue } from './schedule-timing.js';
import type { Schedule } from './schedule.entity.js';
import { scheduledJob } from './scheduled-job.js';

/** Errors that the next job would run into too. */
const LASTING_FAILURES: readonly PlatformErrorCode[] = [
  'target_not_found',
  'target_private',
  'target_banned',
  'target_quarantined',
  'target_gated',
  'target_forbidden',
  'credentials_missing',
  'credentials_refused',
];

/** Whether a job failed for a reason that will not go away by itself, e.g. a banned forum. */
export function isLastingFailure({ status, errorCode }: JobState): boolean {
  return status === 'failed' && LASTING_FAILURES.some((code) => code === errorCode);
}

/** Number of consecutive lasting failures after which a schedule is paused. */
export const FAILURES_BEFORE_PAUSE = 3;

/** The newest job of a schedule. */
export interface LastJob {
  id: string;
  status: JobStatus;
  errorMessage: string | null;
  /**
   * How many of the schedule's newest {@link FAILURES_BEFORE_PAUSE} jobs since it was resumed failed for a lasting reason.
   */
  lastingFailures: number;
}

/** The decision for one due time. */
export interface DuePlan {
  schedule: Schedule;
  /** The oldest unrecorded due time; this occurrence represents all due times up to now. */
  dueAt: Date;
  nextRunAt: Date;
  job: Job | null;
  skip: { reason: SkipReason; detail: string } | null;
  pause: boolean;
}

/** Decides whether a due schedule gets a job, is skipped or is paused, and when it is due next. */
export function planDue(schedule: Schedule, lastJob: LastJob | null, now: Date): DuePlan {
  const plan = { schedule, dueAt: schedule.nextRunAt, job: null, skip: null, pause: false };
  const skip = (reason: SkipReason, detail: string) => ({ reason, detail });

  let nextRunAt: Date;
  try {
    nextRunAt = nextDue(schedule, now);
  } catch (error) {
    // A stored time zone may have been removed from the IANA database; this must not stop the other schedules.
    const detail = `Paused: the timing is no longer valid (${(error as Error).message})`;
    return { ...plan, nextRunAt: plan.dueAt, skip: skip('timing_unusable', detail), pause: true };
  }
  if (lastJob !== null && lastJob.lastingFailures >= FAILURES_BEFORE_PAUSE) {
    const detail = `Paused: the last ${FAILURES_BEFORE_PAUSE} jobs failed for a reason that another run would not fix: ${lastJob.errorMessage ?? 'unknown'}`;
    return { ...plan, nextRunAt, skip: skip('paused_after_failures', detail), pause: true };
  }
  const unfinished = lastJob?.status === 'pending' || lastJob?.status === 'running';
  if (lastJob !== null && unfinished && schedule.config.overlap !== 'queue') {
    const detail = `The last job, ${publicId('job', lastJob.id)}, was still ${lastJob.status}`;
    return { ...plan, nextRunAt, skip: skip('previous_job_unfinished', detail) };
  }
  return { ...plan, nextRunAt, job: scheduledJob(schedule, now) };
}
