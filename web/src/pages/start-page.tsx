import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasEnded, useJobEvents } from '../api/job-events.ts';
import { jobQuery, newIdempotencyKey, useStartJob } from '../api/jobs.ts';
import { useSession } from '../api/session.ts';
import { usageQuery } from '../api/usage.ts';
import { Button, buttonClass } from '../components/controls.tsx';
import { Form } from '../components/form.tsx';
import { TargetField } from '../components/target-fields.tsx';
import { Page } from '../components/page.tsx';
import { ErrorNote, fieldError, Loading } from '../components/states.tsx';
import { formatNumber } from '../format.ts';
import { HAS_SYNTHETIC_REDDIT } from '../synthetic.ts';
import { firstStepsTexts } from '../texts/first-steps.ts';
import { JobExplanation, JobProgress, JobStatus } from './jobs/job-status.tsx';

const LIMIT = 50;
const DEFAULT_FORUM = 'technology';

/** First steps: start a first or another scrape and watch its posts arrive. */
export function StartPage() {
  const session = useSession();
  const client = useQueryClient();
  const [jobId, setJobId] = useState<string>();
  const stored = useQuery({
    ...usageQuery(session.workspace_id),
    select: ({ storage }) => storage.posts,
    enabled: jobId === undefined,
  });
  if (jobId === undefined && stored.isPending)
    return (
      <Page title={firstStepsTexts.title} hideTitle>
        <Loading />
      </Page>
    );
  if (jobId === undefined && stored.data === undefined)
    return (
      <Page title={firstStepsTexts.title} hideTitle>
        <ErrorNote error={stored.error!} onRetry={() => void stored.refetch()} />
      </Page>
    );
  const posts = stored.data ?? 0;
  return (
    <Page
      title={posts === 0 ? firstStepsTexts.title : firstStepsTexts.moreTitle}
      hideTitle={jobId !== undefined}
    >
      {jobId !== undefined ? (
        <Arriving
          jobId={jobId}
          onAnother={() => {
            // The job has stored posts since they were counted.
            void client.resetQueries(usageQuery(session.workspace_id));
            setJobId(undefined);
          }}
        />
      ) : session.allows('write') ? (
        <Sources posts={posts} onStarted={setJobId} />
      ) : (
        <p>{firstStepsTexts.needsWrite}</p>
      )}
    </Page>
  );
}

function Sources({ posts, onStarted }: { posts: number; onStarted: (jobId: string) => void }) {
  const [forum, setForum] = useState(DEFAULT_FORUM);
  const startJob = useStartJob();
  const start = useMutation({
    mutationFn: (target: string) =>
      startJob({ target, limit: LIMIT, download_media: false }, newIdempotencyKey()),
    onSuccess: ({ id }) => onStarted(id),
  });
  const run = (target: string): void => start.mutate(target);
  const card = 'flex flex-col gap-3 rounded-xl border border-line bg-surface p-5';
  const submit = start.isPending ? firstStepsTexts.starting : firstStepsTexts.start;
  return (
    <>
      <p className="mb-5 max-w-prose text-muted">
        {posts === 0 ? firstStepsTexts.explanation : firstStepsTexts.moreExplanation(formatNumber(posts))}{' '}
        {posts > 0 && (
          <Link to="/search" className="text-accent underline">
            {firstStepsTexts.toPosts}
          </Link>
        )}
      </p>
      <div className="grid max-w-3xl gap-4 sm:grid-cols-2">
        <Form
          className={card}
          error={null}
          onSubmit={() => run(forum.trim())}
          actions={
            <Button type="submit" look="primary" className="mt-auto" disabled={start.isPending}>
              {submit}
            </Button>
          }
        >
          <h2 className="font-semibold">{firstStepsTexts.forum}</h2>
          <p className="text-sm text-muted">
            {HAS_SYNTHETIC_REDDIT ? firstStepsTexts.forumSynthetic : firstStepsTexts.forumDetail}
          </p>
          <TargetField
            label={firstStepsTexts.forumName}
            error={fieldError(start.error, 'target')}
            value={forum}
            onChange={setForum}
          />
        </Form>
        <form
          className={card}
          onSubmit={(event) => {
            event.preventDefault();
            run('hn:top');
          }}
        >
          <h2 className="font-semibold">{firstStepsTexts.hackerNews}</h2>
          <p className="text-sm text-muted">{firstStepsTexts.hackerNewsDetail}</p>
          <Button
            type="submit"
            className="mt-auto"
            disabled={start.isPending}
            aria-label={`${firstStepsTexts.hackerNews}: ${submit}`}
          >
            {submit}
          </Button>
        </form>
      </div>
      {start.error && fieldError(start.error, 'target') === undefined && (
        <div className="mt-4 max-w-3xl">
          <ErrorNote error={start.error} />
        </div>
      )}
    </>
  );
}

function Arriving({ jobId, onAnother }: { jobId: string; onAnother: () => void }) {
  const { workspace_id } = useSession();
  const { data: job, error } = useQuery(jobQuery(workspace_id, jobId));
  useJobEvents(workspace_id, jobId, job !== undefined && !hasEnded(job));
  if (job === undefined) return error && <ErrorNote error={error} />;
  const isCompleted = job.status === 'completed' && job.posts_scraped > 0;
  return (
    <section className="max-w-3xl rounded-xl border border-line bg-surface p-5">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold [overflow-wrap:anywhere]">
          {isCompleted ? firstStepsTexts.arrived(job.target) : firstStepsTexts.arriving(job.target)}
        </h2>
        <JobStatus status={job.status} />
      </div>
      <JobProgress job={job} />
      <div className="mt-4">
        {isCompleted ? <p className="text-sm">{firstStepsTexts.next}</p> : <JobExplanation job={job} />}
      </div>
      <div className="mt-5 flex flex-wrap gap-2">
        {job.posts_scraped > 0 && (
          <Link to="/search" className={buttonClass('primary')}>
            {firstStepsTexts.toPosts} ({formatNumber(job.posts_scraped)})
          </Link>
        )}
        {hasEnded(job) && <Button onClick={onAnother}>{firstStepsTexts.another}</Button>}
      </div>
    </section>
  );
}
