import type { JobPhase, JobProgressDto } from './dto/job-progress.dto.js';
import type { Job } from './job.entity.js';

/** A job must run for this long before its end is estimated. */
const MEASURED_SECONDS = 3;
/** Estimates are rounded up to these steps, so that a record does not change with every look at it. */
const STEP_SECONDS = 5;
const LONG_STEP_SECONDS = 60;
const LONG_SECONDS = 180;

type Started = Pick<
  Job,
  'status' | 'startedAt' | 'postsScraped' | 'postLimit' | 'scrapeComments' | 'mediaDownloaded' | 'progress'
>;

/** The progress of a started job beyond the stored counters; `now` is null for an ended job. */
export function shownProgress(
  job: Started,
  now: Date | null,
): Pick<JobProgressDto, 'limit' | 'phase' | 'posts_updated' | 'threads' | 'files' | 'seconds_left'> {
  if (job.startedAt === null) return {};
  const { posts_new: added } = job.progress;
  return {
    limit: job.postLimit,
    ...(added !== undefined && { posts_updated: Math.max(0, job.postsScraped - added) }),
    ...(job.status === 'running' && { phase: phaseOf(job), ...sharesOf(job) }),
    ...(job.status === 'running' && now !== null && { seconds_left: secondsLeft(job, now) }),
  };
}

function phaseOf({ progress }: Started): JobPhase {
  if (progress.stop_reason === undefined) return 'listing';
  if ((progress.comments_pending ?? 0) > 0) return 'comments';
  return (progress.media_pending ?? 0) > 0 ? 'media' : 'finishing';
}

/** How much is done of the threads and files that are known so far. */
function sharesOf({ progress, ...job }: Started): Pick<JobProgressDto, 'threads' | 'files'> {
  const { comments_pending = 0, media_pending = 0, media_failed = 0 } = progress;
  const files = job.mediaDownloaded + media_failed;
  return {
    ...(job.scrapeComments && {
      threads: { done: Math.max(0, job.postsScraped - comments_pending), total: job.postsScraped },
    }),
    ...(files + media_pending > 0 && { files: { done: files, total: files + media_pending } }),
  };
}

/** The time that the rest takes at the average speed so far: posts, their threads and files count alike. */
function secondsLeft(job: Started, now: Date): number | null {
  const { progress, postsScraped, scrapeComments, startedAt } = job;
  const elapsed = (now.getTime() - startedAt!.getTime()) / 1_000;
  const threads = scrapeComments ? postsScraped - (progress.comments_pending ?? 0) : 0;
  const done = postsScraped + threads + job.mediaDownloaded;
  if (elapsed < MEASURED_SECONDS || done <= 0 || progress.waiting_for !== undefined) return null;
  const postsLeft = progress.stop_reason === undefined ? Math.max(0, job.postLimit - postsScraped) : 0;
  const left =
    postsLeft * (scrapeComments ? 2 : 1) + (progress.comments_pending ?? 0) + (progress.media_pending ?? 0);
  const seconds = (elapsed * left) / done;
  const step = seconds > LONG_SECONDS ? LONG_STEP_SECONDS : STEP_SECONDS;
  return Math.ceil(seconds / step) * step;
}
