import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button, Field, inputClass } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { adminTexts } from '../../texts/admin.ts';
import { useBriefly } from '../../timers.ts';
import { Rows } from './rows.tsx';
import { WorkspaceLink } from './workspace-name.tsx';

const words = adminTexts.overview;

/** Starts an ended job of any workspace again, by its id. */
function useRetryJob(onRetried?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      dataOf(api.POST('/api/v1/admin/jobs/{job_id}/retry', { params: { path: { job_id: id } } })),
    onSuccess: async () => {
      onRetried?.();
      await client.invalidateQueries({ queryKey: keys.adminOverview() });
    },
  });
}

/** The jobs that failed last, each with its cause and the button that starts it again. */
export function FailedJobs({ jobs }: { jobs: Schemas['OverviewDto']['failed_jobs'] }) {
  const [isRetried, sayRetried] = useBriefly();
  return (
    <>
      <Rows title={words.failed} rows={jobs} empty={words.noFailed} columns={words.failedColumns} hasActions>
        {(job) => [
          <span className="block max-w-48 truncate" title={`${job.target}\n${job.job_id}`}>
            {job.target}
          </span>,
          <WorkspaceLink id={job.workspace_id} />,
          <span className="block min-w-56 whitespace-normal text-bad [overflow-wrap:anywhere]">
            {job.error_message ?? words.noReason}
          </span>,
          <Time at={job.failed_at} />,
          <RetryFailed id={job.job_id} target={job.target} onRetried={() => sayRetried(true)} />,
        ]}
      </Rows>
      <p role="status" className={isRetried ? '-mt-2 mb-4 text-sm text-good' : 'sr-only'}>
        {isRetried && words.retried}
      </p>
    </>
  );
}

function RetryFailed({ id, target, onRetried }: { id: string; target: string; onRetried: () => void }) {
  const retry = useRetryJob(onRetried);
  return (
    <>
      <Button
        aria-label={words.retryOf(target)}
        disabled={retry.isPending || retry.isSuccess}
        onClick={() => retry.mutate(id)}
      >
        {words.retry}
      </Button>
      {retry.error && <ErrorNote error={retry.error} />}
    </>
  );
}

/** Starts a job again that is not listed, such as a stuck or cancelled one. */
export function RetryJob() {
  const [jobId, setJobId] = useState('');
  const [isRetried, sayRetried] = useBriefly();
  const retry = useRetryJob(() => {
    sayRetried(true);
    setJobId('');
  });
  return (
    <Panel title={words.retryJob}>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          retry.mutate(jobId.trim());
        }}
      >
        <div className="min-w-0 flex-1 basis-64">
          <Field label={words.jobId} hint={words.retryJobHint}>
            {(control) => (
              <input
                {...control}
                required
                spellCheck={false}
                className={`${inputClass} font-mono`}
                placeholder="job_…"
                value={jobId}
                onChange={({ target }) => setJobId(target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="mb-6" disabled={retry.isPending}>
          {words.retry}
        </Button>
      </form>
      {retry.error && <ErrorNote error={retry.error} />}
      <p role="status" className="text-sm text-good">
        {isRetried && words.retried}
      </p>
    </Panel>
  );
}
