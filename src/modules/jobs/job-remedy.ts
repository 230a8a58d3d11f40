import type { PlatformErrorCode } from '../../platforms/platform.js';
import type { Job, JobProgress, WaitReason } from './job.entity.js';

const LATER = 'Repeat the job later with POST /jobs/{job_id}/repeat; what was stored is kept';
const OTHER_TARGET =
  'Choose another target, and delete schedules of this one; only posts that were stored before can be read';

const OF_CODES: Record<PlatformErrorCode | 'internal_error', string> = {
  target_not_found: 'Check the spelling of target, and target_type',
  target_private: OTHER_TARGET,
  target_banned: OTHER_TARGET,
  target_quarantined: OTHER_TARGET,
  target_gated: OTHER_TARGET,
  target_forbidden: OTHER_TARGET,
  credentials_refused:
    'The operator corrects PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET and restarts the workers; then repeat the job',
  blocked:
    'The operator checks PLATFORM_USER_AGENT, the OAuth application and the address of the workers; then repeat the job',
  rate_limited: LATER,
  unavailable: LATER,
  bad_answer: LATER,
  internal_error: "The operator finds the cause in the workers' log; then repeat the job",
};

const OF_WAITS: Record<WaitReason, string> = {
  budget:
    'Nothing is needed: the job goes on by itself. The operator may raise PLATFORM_REQUESTS_PER_MINUTE as far as the platform allows',
  retry: 'Nothing is needed: the request is repeated by itself, and the job fails if that does not help',
  worker: 'The operator starts a worker: npm start, or a process with ROLES=worker',
  turn: 'Nothing is needed: the job starts by itself, earlier when jobs before it are cancelled',
};

/** What to do about the state of a job, as a sentence; null when nothing is out of the ordinary. */
export function remedyOf(
  { status, errorCode }: Pick<Job, 'status' | 'errorCode'>,
  progress: JobProgress,
): string | null {
  if (errorCode !== null) return OF_CODES[errorCode as PlatformErrorCode] ?? LATER;
  if (status === 'cancelled')
    return 'What was stored is kept. POST /jobs/{job_id}/repeat starts the job again';
  if (progress.waiting_for !== undefined) return OF_WAITS[progress.waiting_for.reason];
  if (progress.media_until !== undefined)
    return 'Nothing is needed: files that are not there by media_until are counted in media_failed. Jobs with download_media false read no files';
  if (progress.media_failed_reason !== undefined)
    return 'Remove the cause named in media_failed_reason, then repeat the job: files that are stored are not downloaded again';
  return null;
}
