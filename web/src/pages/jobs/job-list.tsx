import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { useChosen } from '../../components/use-chosen.ts';
import type { Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { Time } from '../../components/time.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { JobBar, postsText } from './job-bar.tsx';
import { JobSelection } from './job-selection.tsx';
import { JobStatus } from './job-status.tsx';

const words = jobsTexts;

const cell = 'px-3 py-2';
const number = `${cell} text-right whitespace-nowrap tabular-nums max-sm:hidden`;

/** Jobs in a table, of which several can be chosen by users who may change them. */
export function JobList({ jobs }: { jobs: readonly Job[] }) {
  const hasSelection = useSession().allows('write') && jobs.length > 1;
  const { chosen, toggle, choose } = useChosen();
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
          onSelect={(some) => choose(some.map(({ id }) => id))}
        />
      )}
      <Card className="overflow-x-auto">
        <table className="w-full text-left text-[13px]">
          <JobColumns hasSelection={hasSelection} />
          <tbody>
            {jobs.map((job) => (
              <JobRow key={job.id} job={job} checkbox={hasSelection && checkbox(job)} />
            ))}
          </tbody>
        </table>
      </Card>
    </>
  );
}

function JobColumns({ hasSelection }: { hasSelection: boolean }) {
  const { columns } = words;
  return (
    <thead className="text-muted">
      <tr className="border-b border-line">
        {hasSelection && <td />}
        <th className={`${cell} font-medium`}>{columns.target}</th>
        <th className={`${cell} font-medium`}>{columns.status}</th>
        <th className={`${number} font-medium`}>{columns.posts}</th>
        <th className={`${number} font-medium`}>{columns.comments}</th>
        <th className={`${number} font-medium`}>{columns.duration}</th>
        <th className={`${cell} font-medium whitespace-nowrap max-lg:hidden`}>{columns.trigger}</th>
        <th className={`${cell} font-medium`}>{columns.created}</th>
      </tr>
    </thead>
  );
}

function JobRow({ job, checkbox }: { job: Job; checkbox: ReactNode }) {
  return (
    <tr className="relative border-b border-line last:border-0 hover:bg-raised">
      {checkbox && <td className="py-2 pl-3 align-top">{checkbox}</td>}
      <td className={`max-w-60 ${cell} sm:min-w-44`}>
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          // The link covers its row.
          className="font-medium text-ink no-underline [overflow-wrap:anywhere] after:absolute after:inset-0 hover:underline"
        >
          {job.target}
        </Link>
        <span className="block text-muted">
          {words.targetTypes[job.target_type]} · {words.modeNames[job.mode]}
        </span>
      </td>
      <td className={`min-w-28 ${cell}`}>
        <JobStatus status={job.status} />
        {job.status === 'running' ? (
          <JobBar job={job} />
        ) : (
          <span className="block text-muted sm:hidden">{words.bar.posts(job.posts_scraped)}</span>
        )}
      </td>
      <td className={number}>{postsText(job)}</td>
      <td className={number}>{formatNumber(job.comments_scraped)}</td>
      <td className={number}>{job.duration_seconds === null ? '–' : formatDuration(job.duration_seconds)}</td>
      <td className={`${cell} text-muted max-lg:hidden`}>
        {job.schedule_id ? words.triggers.schedule : words.triggers.request}
      </td>
      <td className={`${cell} text-muted sm:whitespace-nowrap`}>
        <Time at={job.created_at} />
      </td>
    </tr>
  );
}
