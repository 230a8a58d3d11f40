import type { PlatformErrorCode } from '../../platforms/platform.js';
import { SOURCES } from '../../platforms/registry.js';
import type { Job } from './job.entity.js';
import type { JobProgress, WaitReason } from './dto/job-progress.dto.js';

const LATER = 'Repeat the job later with POST /jobs/{job_id}/repeat; everything stored is kept';
const OTHER_TARGET =
  'Choose another target and delete the schedules of this one; posts stored earlier stay available';
const ASK_OPERATOR = 'Ask the operator to find the cause in the log of the workers; then repeat the job';

/** Advice where the source has none of its own. */
const OF_CODES: Record<PlatformErrorCode | 'internal_error' | 'worker_lost', string> = {
  target_not_found: 'Check the spelling of target, and check target_type',
  target_private: OTHER_TARGET,
  target_banned: OTHER_TARGET,
  target_quarantined: OTHER_TARGET,
  target_gated: OTHER_TARGET,
  target_forbidden: OTHER_TARGET,
  credentials_missing: ASK_OPERATOR,
  credentials_refused: ASK_OPERATOR,
  blocked: ASK_OPERATOR,
  rate_limited: LATER,
  unavailable: LATER,
  bad_answer: LATER,
  internal_error: ASK_OPERATOR,
  worker_lost: ASK_OPERATOR,
};

const OF_WAITS: Record<WaitReason, string> = {
  budget: 'No action needed: the job continues automatically',
  retry: 'No action needed: the request is retried automatically, and the job fails if the retries fail',
  worker: 'Ask the operator to start a worker: npm start, or a process with ROLES=worker',
  claims:
    'Ask the operator to run npm run doctor, which names the cause; the job starts automatically when the cause is removed',
  turn: 'No action needed: the job starts automatically. Cancel jobs ahead of it to start it sooner',
};

/** Advice on a job's state, in one sentence; null when no action is needed. */
export function remedyOf(
  { status, errorCode, target }: Pick<Job, 'status' | 'errorCode' | 'target'>,
  progress: JobProgress,
): string | null {
  const remedies: Readonly<Partial<Record<string, string>>> = SOURCES.ofTarget(target).remedies;
  if (errorCode !== null) return remedies[errorCode] ?? OF_CODES[errorCode as PlatformErrorCode] ?? LATER;
  if (status === 'cancelled')
    return 'Everything stored is kept. Start the job again with POST /jobs/{job_id}/repeat';
  if (progress.waiting_for !== undefined) {
    const { reason } = progress.waiting_for;
    return (reason === 'budget' ? remedies.budget : undefined) ?? OF_WAITS[reason];
  }
  if (progress.media_until !== undefined)
    return 'No action needed: files not downloaded by media_until are counted in media_failed. Jobs with download_media false download no files';
  if (progress.media_failed_reason !== undefined)
    return 'Fix the cause named in media_failed_reason, then repeat the job: stored files are not downloaded again';
  return null;
}
