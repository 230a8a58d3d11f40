import type { Job } from '../../api/job-events.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';

const words = texts.jobs.bar;

/** How far an unfinished job is: a bar, what is left, and about how long. */
export function JobBar({ job }: { job: Job }) {
  const posts = job.posts_scraped;
  const text = words.posts(formatNumber(posts));
  return (
    <div className="min-w-0">
      <ProgressBar label={text} done={posts} total={null} />
      <p className="mt-1 text-[13px] text-muted tabular-nums">{text}</p>
    </div>
  );
}
