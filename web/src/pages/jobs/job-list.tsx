import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { Time } from '../../components/time.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { JobBar, postsText } from './job-bar.tsx';
import { JobSelection } from './job-selection.tsx';
import { JobStatus } from './job-status.tsx';

const words = jobsTexts;

/** Jobs in a table, of which several can be chosen by users who may change them. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  const hasSelection = useSession().allows('write') && jobs.length > 1;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  const checkbox = (job: Job): ReactNode => (
    <input
      type="checkbox"
      // Above the link, which covers the row.
      className="relative z-10 mt-0.5 size-4 accent-accent"
      aria-label={words.select(job.target, words.statuses[job.status])}
      checked={chosen.has(job.id)}
      onChange={() => toggle(job.id)}
    />
  );
  return (
    <>
      {hasSelection && (
        <JobSelection
          jobs={jobs}
          selected={jobs.filter(({ id }) => chosen.has(id))}
          onSelect={(some) => setChosen(new Set(some.map(({ id }) => id)))}
        />
      )}
      <JobTable jobs={jobs} checkbox={hasSelection ? checkbox : undefined} />
    </>
  );
}

function JobTable({
  jobs,
  checkbox,
}: {
  jobs: readonly Job[];
  /** The checkbox of a job where several can be chosen. */
  checkbox: ((job: Job) => ReactNode) | undefined;
}) {
  const { columns } = jobsTexts;
  const number = 'px-3 py-2 text-right whitespace-nowrap tabular-nums max-sm:hidden';
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table className="w-full text-left text-[13px]">
        <thead className="text-muted">
          <tr className="border-b border-line">
            {checkbox && <td />}
            <th className="px-3 py-2 font-medium">{columns.target}</th>
            <th className="px-3 py-2 font-medium">{columns.status}</th>
            <th className={`${number} font-medium`}>{columns.posts}</th>
            <th className={`${number} font-medium`}>{columns.comments}</th>
            <th className={`${number} font-medium`}>{columns.duration}</th>
            <th className="px-3 py-2 font-medium whitespace-nowrap max-lg:hidden">{columns.trigger}</th>
            <th className="px-3 py-2 font-medium">{columns.created}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id} className="relative border-b border-line last:border-0 hover:bg-raised">
              {checkbox && <td className="py-2 pl-3 align-top">{checkbox(job)}</td>}
              <td className="max-w-60 px-3 py-2 sm:min-w-44">
                <Link
                  to="/jobs/$jobId"
                  params={{ jobId: job.id }}
                  // The link covers its row.
                  className="font-medium text-ink no-underline [overflow-wrap:anywhere] after:absolute after:inset-0 hover:underline"
                >
                  {job.target}
                </Link>
                <span className="block text-muted">
                  {jobsTexts.targetTypes[job.target_type]} · {jobsTexts.modeNames[job.mode]}
                </span>
              </td>
              <td className="min-w-28 px-3 py-2">
                <JobStatus status={job.status} />
                {job.status === 'running' ? (
                  <JobBar job={job} />
                ) : (
                  <span className="block text-muted sm:hidden">{jobsTexts.bar.posts(job.posts_scraped)}</span>
                )}
              </td>
              <td className={number}>{postsText(job)}</td>
              <td className={number}>{formatNumber(job.comments_scraped)}</td>
              <td className={number}>
                {job.duration_seconds === null ? '–' : formatDuration(job.duration_seconds)}
              </td>
              <td className="px-3 py-2 text-muted max-lg:hidden">
                {job.schedule_id ? words.triggers.schedule : words.triggers.request}
              </td>
              <td className="px-3 py-2 text-muted sm:whitespace-nowrap">
                <Time at={job.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
