import { hasEnded, type Job } from '../../api/job-events.ts';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';

const words = jobsTexts.bar;

/** How far an unfinished job is: a bar of its posts, what is left to do, and about how long that takes. */
export function JobBar({ job }: { job: Job }) {
  if (hasEnded(job)) return null;
  const { posts_scraped: posts, progress } = job;
  const { limit, phase = 'listing', seconds_left, comments_pending = 0, media_pending = 0 } = progress;
  // After the listing no further posts come: what is left are threads and files.
  const [done, total] =
    phase === 'listing' ? [posts, limit ?? null] : doneOf(posts, phase, comments_pending, media_pending, job);
  const parts = [
    limit === undefined || phase !== 'listing' ? words.posts(posts) : words.ofPosts(posts, limit),
    comments_pending > 0 ? words.threads(comments_pending) : null,
    media_pending > 0 ? words.files(media_pending) : null,
    seconds_left != null && seconds_left > 0 ? words.left(formatDuration(seconds_left)) : null,
  ].filter((part) => part !== null);
  return (
    <div className="min-w-0">
      <ProgressBar
        label={limit === undefined ? words.posts(posts) : words.ofPosts(posts, limit)}
        done={done}
        total={total}
      />
      <p className="mt-1 text-[13px] text-muted tabular-nums">
        {jobsTexts.phases[phase]}: {parts.join(' · ')}
      </p>
    </div>
  );
}

function doneOf(
  posts: number,
  phase: NonNullable<Job['progress']['phase']>,
  threads: number,
  files: number,
  { media_downloaded }: Job,
): [done: number, total: number] {
  if (phase === 'comments') return [Math.max(0, posts - threads), posts];
  if (phase === 'media') return [media_downloaded, media_downloaded + files];
  return [1, 1];
}

/** A number of posts, and how many of them were new: "100 (3 new)". */
export function postsText({ posts_scraped: posts, progress: { posts_new: added } }: Job): string {
  const all = formatNumber(posts);
  return added === undefined || posts === 0 ? all : words.withNew(all, formatNumber(added));
}
