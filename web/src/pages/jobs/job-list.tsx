import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { cell, type Column, Table } from '../../components/table.tsx';
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

const number = `${cell} text-right whitespace-nowrap tabular-nums max-sm:hidden`;
const COLUMNS: readonly Column[] = [
  { name: words.columns.target, className: cell },
  { name: words.columns.status, className: cell },
  { name: words.columns.posts, className: number },
  { name: words.columns.comments, className: number },
  { name: words.columns.duration, className: number },
  { name: words.columns.trigger, className: `${cell} whitespace-nowrap max-lg:hidden` },
  { name: words.columns.created, className: cell },
];

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
      <Table columns={COLUMNS} hasSelection={hasSelection} className="overflow-x-auto">
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} checkbox={hasSelection && checkbox(job)} />
        ))}
      </Table>
    </>
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
