import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { hasEnded, useJobEvents } from '../../api/job-events.ts';
import { jobQuery } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { usageQuery } from '../../api/usage.ts';
import { Card } from '../../components/card.tsx';
import { Button, buttonClass } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import type { Target } from '../../components/target-fields.tsx';
import { formatNumber } from '../../format.ts';
import { HAS_SYNTHETIC_REDDIT } from '../../synthetic.ts';
import { firstStepsTexts } from '../../texts/first-steps.ts';
import { JobPosts } from '../jobs/job-posts.tsx';
import { JobExplanation, JobProgress, JobStatus } from '../jobs/job-status.tsx';
import { NextSteps } from './next-steps.tsx';
import { PlaceForm } from './place-form.tsx';
import { type Started, WordSteps } from './word-steps.tsx';

/** The first forum of the synthetic platform, so that a first try needs no typing. */
const FIRST_TARGET: Target = { target: HAS_SYNTHETIC_REDDIT ? 'technology' : '', target_type: 'forum' };

/** First steps: start a first or another scrape and watch its posts arrive. */
export function StartPage() {
  const session = useSession();
  const client = useQueryClient();
  const [started, setStarted] = useState<Started>();
  const stored = useQuery({
    ...usageQuery(session.workspace_id),
    select: ({ storage }) => storage.posts,
    enabled: started === undefined,
  });
  if (started === undefined && stored.isPending)
    return (
      <Page title={firstStepsTexts.title} hideTitle>
        <Loading />
      </Page>
    );
  if (started === undefined && stored.data === undefined)
    return (
      <Page title={firstStepsTexts.title} hideTitle>
        <ErrorNote error={stored.error!} onRetry={() => void stored.refetch()} />
      </Page>
    );
  const posts = stored.data ?? 0;
  return (
    <Page
      title={posts === 0 ? firstStepsTexts.title : firstStepsTexts.moreTitle}
      hideTitle={started !== undefined}
    >
      {started !== undefined ? (
        <Arriving
          started={started}
          onAnother={() => {
            // The job has stored posts since they were counted.
            void client.resetQueries(usageQuery(session.workspace_id));
            setStarted(undefined);
          }}
        />
      ) : session.allows('write') ? (
        <Sources posts={posts} onStarted={setStarted} />
      ) : (
        <p>{firstStepsTexts.needsWrite}</p>
      )}
    </Page>
  );
}

function Sources({ posts, onStarted }: { posts: number; onStarted: (started: Started) => void }) {
  const [target, setTarget] = useState(FIRST_TARGET);
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
      <div className="max-w-3xl space-y-4">
        <Way {...firstStepsTexts.word}>
          <WordSteps
            onStarted={onStarted}
            onPlace={(name) => setTarget({ target: name, target_type: 'forum' })}
          />
        </Way>
        <Way {...firstStepsTexts.place}>
          <PlaceForm target={target} onChange={setTarget} onStarted={onStarted} />
        </Way>
      </div>
    </>
  );
}

/** One way to begin. */
function Way({ title, detail, children }: { title: string; detail: string; children: ReactNode }) {
  return (
    <Card as="section" className="p-5">
      <h2 className="font-semibold">{title}</h2>
      <p className="mb-3 text-sm text-muted">{detail}</p>
      {children}
    </Card>
  );
}

function Arriving({ started: { jobId, alertId }, onAnother }: { started: Started; onAnother: () => void }) {
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
        <div className="mt-4">{!isCompleted && <JobExplanation job={job} />}</div>
        <div className="mt-5 flex flex-wrap gap-2">
          {job.posts_scraped > 0 && (
            <Link to="/search" className={buttonClass()}>
              {firstStepsTexts.toPosts} ({formatNumber(job.posts_scraped)})
            </Link>
          )}
          {hasEnded(job) && <Button onClick={onAnother}>{firstStepsTexts.another}</Button>}
        </div>
      </Card>
      {(job.posts_scraped > 0 || alertId !== undefined) && (
        <div className="mb-4 max-w-3xl">
          <NextSteps job={job} alertId={alertId} />
        </div>
      )}
      {job.posts_scraped > 0 && <JobPosts job={job} />}
    </>
  );
}
