import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { hasEnded, type Job, useJobEvents } from '../../api/job-events.ts';
import { cancelJob, jobQuery, repeatJob } from '../../api/jobs.ts';
import { sourceName } from '../../api/original.ts';
import { queryClient } from '../../api/query-client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { FIRST_SETTINGS, type JobSettings } from '../../components/job-fields.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { JobLog } from './job-log.tsx';
import { JobPosts } from './job-posts.tsx';
import { JobComparison } from './job-comparison.tsx';
import { StartJob } from './start-job.tsx';
import { JobExplanation, JobProgress, JobStatus } from './job-status.tsx';

const { detail, form } = jobsTexts;
const route = getRouteApi('/jobs/$jobId');

export function JobPage() {
  const { jobId } = route.useParams();
  const { workspace_id } = useSession();
  const job = useQuery(jobQuery(workspace_id, jobId));
  const connection = useJobEvents(workspace_id, jobId, job.data !== undefined && !hasEnded(job.data));
  if (job.data !== undefined) return <JobView job={job.data} connection={connection} />;
  return (
    <Page title={jobsTexts.title} hideTitle>
      <QueryView
        query={job}
        missing={
          <Empty title={detail.notFound}>
            <BackLink />
          </Empty>
        }
      >
        {() => null}
      </QueryView>
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
  return (
    <Page title={job.target} actions={<Actions job={job} />}>
      <div className="-mt-3 mb-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
        <BackLink />
        <span aria-live="polite">
          <JobStatus status={job.status} />
        </span>
        <span>
          {jobsTexts.targetTypes[job.target_type]} · {form.modes[job.mode]}
        </span>
        {live && <span>{connection === 'open' ? detail.live : detail.reconnecting}</span>}
      </div>
      <Card className="mb-4 space-y-4 p-4">
        <JobProgress job={job} />
        <JobExplanation job={job} />
      </Card>
      <div className="items-start gap-4 lg:grid lg:grid-cols-[1fr_22rem]">
        <div className="min-w-0 lg:col-start-2 lg:row-start-1">
          <Panel title={detail.title}>
            <JobFacts job={job} />
          </Panel>
          {!live && <JobComparison job={job} />}
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          <JobLog job={job} />
          {job.posts_scraped > 0 && !live && <JobPosts job={job} />}
        </div>
      </div>
    </Page>
  );
}

/** The times, the settings and the origin of a job. */
function JobFacts({ job }: { job: Job }) {
  const { facts } = detail;
  const time = (at: string | null) => (at === null ? null : <Time at={at} />);
  const trigger =
    job.schedule_id === null ? (
      jobsTexts.triggers.request
    ) : (
      <Link to="/schedules" className="text-accent">
        {jobsTexts.triggers.schedule}
      </Link>
    );
  return (
    <Facts
      facts={[
        [facts.created, time(job.created_at)],
        [facts.started, time(job.started_at)],
        [facts.completed, time(job.completed_at)],
        [facts.duration, job.duration_seconds === null ? null : formatDuration(job.duration_seconds)],
        [facts.limit, job.limit === undefined ? null : formatNumber(job.limit)],
        [facts.options, optionsOf(job)],
        [form.plugins, job.plugins?.length ? job.plugins.join(', ') : null],
        [facts.trigger, job.schedule_id === undefined ? null : trigger],
        [facts.source, job.progress.source === undefined ? null : sourceName(job.progress.source)],
        [facts.id, <span className="font-mono text-[13px]">{job.id}</span>],
      ]}
    />
  );
}

/** What a job collects, in words; null while its settings are not known. */
function optionsOf({ scrape_comments, download_media }: Job): string | null {
  if (scrape_comments === undefined) return null;
  const { posts, comments, media } = detail.options;
  return [posts, ...(scrape_comments ? [comments] : []), ...(download_media ? [media] : [])].join(', ');
}

/** The settings of a job as edited in the form that starts another. */
const settingsOf = (job: Job): JobSettings => ({
  target: job.target,
  target_type: job.target_type,
  mode: job.mode,
  limit: job.limit ?? FIRST_SETTINGS.limit,
  scrape_comments: job.scrape_comments ?? FIRST_SETTINGS.scrape_comments,
  download_media: job.download_media ?? FIRST_SETTINGS.download_media,
  plugins: job.plugins ?? [],
});

function Actions({ job }: { job: Job }) {
  const session = useSession();
  const navigate = useNavigate();
  const [cancelling, setCancelling] = useState(false);
  const [editing, setEditing] = useState(false);
  const repeat = useMutation({
    mutationFn: () => repeatJob(session.workspace_id, job.id),
    onSuccess: (repeated) => void navigate({ to: '/jobs/$jobId', params: { jobId: repeated.id } }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      {repeat.error && <ErrorNote error={repeat.error} />}
      {session.allows('write') &&
        (hasEnded(job) ? (
          <>
            <Button disabled={repeat.isPending} onClick={() => repeat.mutate()}>
              {detail.repeat}
            </Button>
            <Button look="primary" onClick={() => setEditing(true)}>
              {detail.edit}
            </Button>
          </>
        ) : (
          <Button look="danger" onClick={() => setCancelling(true)}>
            {detail.cancel}
          </Button>
        ))}
      {editing && (
        <StartJob
          settings={settingsOf(job)}
          onClose={() => setEditing(false)}
          onStarted={(jobId) => {
            setEditing(false);
            void navigate({ to: '/jobs/$jobId', params: { jobId } });
          }}
        />
      )}
      {cancelling && (
        <Confirm
          title={detail.cancelTitle}
          text={detail.cancelText}
          action={detail.cancel}
          keep={detail.keep}
          run={async () => {
            await cancelJob(session.workspace_id, job.id);
            await queryClient.invalidateQueries(jobQuery(session.workspace_id, job.id));
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </div>
  );
}
