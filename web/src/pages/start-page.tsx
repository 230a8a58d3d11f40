import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Card } from '../components/card.tsx';
import { hasEnded, useJobEvents } from '../api/job-events.ts';
import { jobQuery, newIdempotencyKey, useStartJob } from '../api/jobs.ts';
import { useSession } from '../api/session.ts';
import { usageQuery } from '../api/usage.ts';
import { Button, buttonClass } from '../components/controls.tsx';
import { Form } from '../components/form.tsx';
import { JobTargetFields, SOURCE_NAMES, type Target } from '../components/target-fields.tsx';
import { Page } from '../components/page.tsx';
import { ErrorNote, fieldError, Loading } from '../components/states.tsx';
import { formatNumber } from '../format.ts';
import { HAS_SYNTHETIC_REDDIT } from '../synthetic.ts';
import { firstStepsTexts } from '../texts/first-steps.ts';
import { JobPosts } from './jobs/job-posts.tsx';
import { JobExplanation, JobProgress, JobStatus } from './jobs/job-status.tsx';

const LIMIT = 50;
/** Where it exists, a forum that needs no internet. */
const FIRST_TARGET: Target = {
  target: HAS_SYNTHETIC_REDDIT ? 'technology' : '',
  target_type: 'forum',
};

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
  const [target, setTarget] = useState(FIRST_TARGET);
  const startJob = useStartJob();
  const start = useMutation({
    mutationFn: (chosen: Target) =>
      startJob({ ...chosen, limit: LIMIT, download_media: false }, newIdempotencyKey()),
    onSuccess: ({ id }) => onStarted(id),
  });
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
        <SourceForm
          title={firstStepsTexts.hackerNews}
          detail={firstStepsTexts.hackerNewsDetail}
          button={{
            look: 'primary',
            disabled: start.isPending,
            children: submit,
            'aria-label': `${firstStepsTexts.hackerNews}: ${submit}`,
          }}
          onSubmit={() => start.mutate({ target: 'hn:top', target_type: 'forum' })}
        />
        <SourceForm
          title={firstStepsTexts.other}
          detail={firstStepsTexts.otherDetail(SOURCE_NAMES)}
          button={{ disabled: start.isPending, children: submit }}
          onSubmit={() => start.mutate({ ...target, target: target.target.trim() })}
        >
          <JobTargetFields target={target} error={start.error} onChange={setTarget} />
        </SourceForm>
      </div>
      {start.error && fieldError(start.error, 'target') === undefined && (
        <div className="mt-4 max-w-3xl">
          <ErrorNote error={start.error} />
        </div>
      )}
    </>
  );
}

/** One way to begin: what it collects, and the button that starts it. */
function SourceForm({
  title,
  detail,
  button,
  onSubmit,
  children,
}: {
  title: string;
  detail: string;
  button: ComponentProps<typeof Button>;
  onSubmit: () => void;
  children?: ReactNode;
}) {
  return (
    <Card className="flex p-5">
      <Form
        className="flex min-w-0 flex-1 flex-col gap-3"
        error={null}
        onSubmit={onSubmit}
        actions={<Button type="submit" className="mt-auto" {...button} />}
      >
        <h2 className="font-semibold">{title}</h2>
        <p className="text-sm text-muted">{detail}</p>
        {children}
      </Form>
    </Card>
  );
}

function Arriving({ jobId, onAnother }: { jobId: string; onAnother: () => void }) {
  const { workspace_id } = useSession();
  const { data: job, error } = useQuery(jobQuery(workspace_id, jobId));
  useJobEvents(workspace_id, jobId, job !== undefined && !hasEnded(job));
  if (job === undefined) return error && <ErrorNote error={error} />;
  const isCompleted = job.status === 'completed' && job.posts_scraped > 0;
  return (
    <>
      <Card as="section" className="mb-4 max-w-3xl p-5">
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
      </Card>
      {job.posts_scraped > 0 && <JobPosts job={job} />}
    </>
  );
}
