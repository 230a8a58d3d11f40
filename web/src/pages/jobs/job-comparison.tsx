import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import type { Job } from '../../api/job-events.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { JobStatus } from './job-status.tsx';

const words = jobsTexts.comparison;
/** Newest runs of the source among which the one before is looked for. */
const LOOKED_AT = 50;

/** The run of the same source before a job. */
function useRunBefore(job: Job): Job | undefined {
  const { workspace_id } = useSession();
  return useQuery({
    queryKey: keys.jobBefore(workspace_id, job.id),
    queryFn: async () => {
      const { jobs } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
          params: {
            path: { workspace_id },
            query: { target: job.target, mode: job.mode, view: 'full', limit: LOOKED_AT },
          },
        }),
      );
      // With `view=full` the list holds whole records, newest first.
      return (jobs as Schemas['JobDto'][]).find(
        ({ id, created_at, target_type }) =>
          id !== job.id && created_at < job.created_at && target_type === job.target_type,
      );
    },
  }).data;
}

/** An ended job beside the run of the same source before it; nothing for a first run. */
export function JobComparison({ job }: { job: Job }) {
  const before = useRunBefore(job);
  if (!before) return null;
  const rows: [string, (one: Job) => string][] = [
    [jobsTexts.columns.posts, (one) => formatNumber(one.posts_scraped)],
    [words.added, (one) => countOf(one.progress.posts_new)],
    [words.updated, (one) => countOf(one.progress.posts_updated)],
    [jobsTexts.columns.comments, (one) => formatNumber(one.comments_scraped)],
    [jobsTexts.detail.counters.media, (one) => formatNumber(one.media_downloaded)],
    [jobsTexts.detail.counters.requests, (one) => countOf(one.progress.requests)],
    [
      jobsTexts.detail.facts.duration,
      (one) => (one.duration_seconds === null ? '–' : formatDuration(one.duration_seconds)),
    ],
  ];
  return (
    <Panel title={words.title}>
      <table className="w-full max-w-xl text-left text-sm">
        <thead className="text-[13px] text-muted">
          <tr>
            <td />
            <th className="py-1 pr-4 text-right font-medium">{words.thisRun}</th>
            <th className="py-1 text-right font-medium">
              <Link to="/jobs/$jobId" params={{ jobId: before.id }} className="text-accent">
                <Time at={before.created_at} />
              </Link>
            </th>
          </tr>
        </thead>
        <tbody>
          <tr className="border-t border-line">
            <th className="py-1 font-normal text-muted">{jobsTexts.columns.status}</th>
            {[job, before].map((one, index) => (
              <td key={one.id} className={`py-1 text-right ${index === 0 ? 'pr-4' : ''}`}>
                <JobStatus status={one.status} />
              </td>
            ))}
          </tr>
          {rows.map(([label, read]) => (
            <tr key={label} className="border-t border-line tabular-nums">
              <th className="py-1 font-normal text-muted">{label}</th>
              <td className="py-1 pr-4 text-right font-medium">{read(job)}</td>
              <td className="py-1 text-right">{read(before)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

const countOf = (count: number | undefined): string => (count === undefined ? '–' : formatNumber(count));
