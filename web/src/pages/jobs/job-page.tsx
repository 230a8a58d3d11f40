import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiError, dataOf } from '../../api/client.ts';
import { hasEnded, type Job, useJobEvents } from '../../api/job-events.ts';
import { jobQuery } from '../../api/jobs.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { ErrorNote, Empty, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration } from '../../format.ts';
import { texts } from '../../texts.ts';
import { JobLog } from './job-log.tsx';
import { JobPosts } from './job-posts.tsx';
import { JobExplanation, JobProgress, JobStatus } from './job-status.tsx';

const { detail, form } = texts.jobs;
const route = getRouteApi('/jobs/$jobId');

export function JobPage() {
  const { jobId } = route.useParams();
  const { workspace_id } = useSession();
  const job = useQuery(jobQuery(workspace_id, jobId));
  const connection = useJobEvents(workspace_id, jobId, job.data !== undefined && !hasEnded(job.data));
  if (job.data !== undefined) return <JobView job={job.data} connection={connection} />;
  return (
    <Page title={texts.jobs.title} hideTitle>
      {job.error instanceof ApiError && (job.error.status === 404 || job.error.status === 400) ? (
        <Empty title={detail.notFound}>
          <BackLink />
        </Empty>
      ) : job.error ? (
        <ErrorNote error={job.error} onRetry={() => void job.refetch()} />
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function BackLink() {
  return (
    <Link to="/jobs" className="text-sm text-accent">
      {detail.back}
    </Link>
  );
}

function JobView({ job, connection }: { job: Job; connection: 'open' | 'lost' }) {
  const live = !hasEnded(job);
  const times: [string, string | null][] = [
    [detail.facts.created, job.created_at],
    [detail.facts.started, job.started_at],
    [detail.facts.completed, job.completed_at],
  ];
  return (
    <Page title={job.target} actions={<Actions job={job} />}>
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        <BackLink />
        <span aria-live="polite">
          <JobStatus status={job.status} />
        </span>
        <span>
          {texts.jobs.targetTypes[job.target_type]} · {form.modes[job.mode]}
        </span>
        {live && <span>{connection === 'open' ? detail.live : detail.reconnecting}</span>}
      </div>
      <div className="mb-6 space-y-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
        <JobProgress job={job} limit={undefined} />
        <JobExplanation job={job} />
      </div>
      <Panel title={detail.title}>
        <Facts
          facts={[
            ...times.map(([label, at]) => [label, at === null ? null : <Time at={at} />] as const),
            [
              detail.facts.duration,
              job.duration_seconds === null ? null : formatDuration(job.duration_seconds),
            ],
            [detail.facts.source, job.progress.source ?? null],
            [detail.facts.id, <span className="font-mono text-[13px]">{job.id}</span>],
          ]}
        />
      </Panel>
      <JobLog job={job} />
      {job.posts_scraped > 0 && !live && <JobPosts job={job} />}
    </Page>
  );
}

function Actions({ job }: { job: Job }) {
  const session = useSession();
  const navigate = useNavigate();
  const [cancelling, setCancelling] = useState(false);
  const path = { workspace_id: session.workspace_id, job_id: job.id };
  const repeat = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/repeat', { params: { path } })),
    onSuccess: (repeated) => void navigate({ to: '/jobs/$jobId', params: { jobId: repeated.id } }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      {repeat.error && <ErrorNote error={repeat.error} />}
      {session.allows('write') &&
        (hasEnded(job) ? (
          <Button disabled={repeat.isPending} onClick={() => repeat.mutate()}>
            {detail.repeat}
          </Button>
        ) : (
          <Button look="danger" onClick={() => setCancelling(true)}>
            {detail.cancel}
          </Button>
        ))}
      {cancelling && (
        <Confirm
          title={detail.cancelTitle}
          text={detail.cancelText}
          action={detail.cancel}
          keep={detail.keep}
          run={async () => {
            await dataOf(api.DELETE('/api/v1/workspaces/{workspace_id}/jobs/{job_id}', { params: { path } }));
            await queryClient.invalidateQueries(jobQuery(session.workspace_id, job.id));
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </div>
  );
}
