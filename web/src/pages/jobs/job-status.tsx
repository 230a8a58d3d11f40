import { hasEnded, type Job } from '../../api/job-events.ts';
import { Figures } from '../../components/facts.tsx';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { JobBar } from './job-bar.tsx';

const TONES: Record<Job['status'], Tone> = {
  pending: 'warn',
  running: 'accent',
  completed: 'good',
  cancelled: 'muted',
  failed: 'bad',
};

export function JobStatus({ status }: { status: Job['status'] }) {
  return (
    <StatusDot tone={TONES[status]} isMoving={status === 'running'}>
      {jobsTexts.statuses[status]}
    </StatusDot>
  );
}

/** What a job is doing, waiting for or ended with, in words, and what can be done about it. */
export function JobExplanation({ job }: { job: Job }) {
  const { progress } = job;
  const waiting = progress.waiting_for;
  if (job.status === 'failed')
    return (
      <div className="rounded-lg border border-bad p-3 text-sm [overflow-wrap:anywhere]">
        <p className="font-medium text-bad">{job.error_message}</p>
        <p className="mt-1">{jobsTexts.failures[progress.error_code ?? ''] ?? progress.remedy}</p>
      </div>
    );
  return (
    <div className="space-y-1 text-sm [overflow-wrap:anywhere]">
      {job.status === 'cancelled' && <p>{jobsTexts.cancelledText}</p>}
      {job.status === 'pending' && waiting === undefined && <p>{jobsTexts.pendingText}</p>}
      {waiting !== undefined && !hasEnded(job) && (
        <p className="text-warn">
          {jobsTexts.waiting[waiting.reason] ?? waiting.cause}
          {waiting.until !== null && (
            <>
              {' '}
              {jobsTexts.waitingUntil} <Time at={waiting.until} due={jobsTexts.isDue} />.
            </>
          )}
        </p>
      )}
      {progress.stop_reason !== undefined && hasEnded(job) && (
        <p>{jobsTexts.stopReasons[progress.stop_reason]}</p>
      )}
      {(progress.comments_missing ?? 0) > 0 && (
        <p className="text-muted">{jobsTexts.detail.missing(formatNumber(progress.comments_missing!))}</p>
      )}
      {(progress.media_failed ?? 0) > 0 && (
        <p className="text-muted">
          {jobsTexts.detail.mediaFailed(formatNumber(progress.media_failed!))} {progress.media_failed_reason}
        </p>
      )}
      {progress.plugin_errors?.map(({ plugin, message }) => (
        <p key={plugin} className="text-warn">
          {jobsTexts.detail.pluginFailed(plugin, message)}
        </p>
      ))}
    </div>
  );
}

/** The progress of a job: a bar with what is left, and its counters. */
export function JobProgress({ job }: { job: Job }) {
  const { detail } = jobsTexts;
  const { counters } = detail;
  const values = [
    [counters.posts, formatNumber(job.posts_scraped)],
    [counters.comments, formatNumber(job.comments_scraped)],
    [counters.media, formatNumber(job.media_downloaded)],
    [counters.requests, formatNumber(job.progress.requests ?? 0)],
  ] as const;
  const { posts_new: added, posts_updated: updated } = job.progress;
  return (
    <div className="space-y-3">
      {job.status === 'running' && <JobBar job={job} />}
      <Figures figures={values} />
      {added !== undefined && updated !== undefined && job.posts_scraped > 0 && (
        <p className="text-[13px] text-muted">
          {counters.posts}: {detail.postsNew(formatNumber(added), formatNumber(updated))}
        </p>
      )}
    </div>
  );
}
