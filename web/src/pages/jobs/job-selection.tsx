import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { hasEnded, type Job } from '../../api/job-events.ts';
import { cancelJob, repeatJob } from '../../api/jobs.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Selection } from '../../components/bulk-bar.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Button } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';

const words = jobsTexts.several;
const CONFLICT = 409;

/** The choice of all jobs of a list, and what can be done with the chosen ones: cancel unfinished, repeat ended ones. */
export function JobSelection({
  jobs,
  selected,
  onSelect,
}: {
  jobs: readonly Job[];
  selected: readonly Job[];
  onSelect: (jobs: readonly Job[]) => void;
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [cancelling, setCancelling] = useState(false);
  const unfinished = selected.filter((job) => !hasEnded(job));
  const ended = selected.filter(hasEnded);
  /** Does something with one job after the other; jobs that were not reached stay selected. */
  const forEach = async (some: readonly Job[], act: (job: Job) => Promise<unknown>): Promise<number> => {
    const done = new Set<Job>();
    try {
      for (const job of some) {
        await act(job);
        done.add(job);
        void client.invalidateQueries({ queryKey: keys.job(workspace_id, job.id) });
      }
    } finally {
      onSelect(selected.filter((job) => !done.has(job)));
      await client.invalidateQueries({ queryKey: keys.allJobs() });
    }
    return done.size;
  };
  const repeat = useMutation({
    mutationFn: () => forEach(ended, ({ id }) => repeatJob(workspace_id, id)),
  });
  return (
    <Selection items={jobs} selected={selected} onSelect={onSelect}>
      {ended.length > 0 && (
        <Button disabled={repeat.isPending} onClick={() => repeat.mutate()}>
          {words.repeat(formatNumber(ended.length))}
        </Button>
      )}
      {unfinished.length > 0 && (
        <Button look="danger" onClick={() => setCancelling(true)}>
          {words.cancel(formatNumber(unfinished.length))}
        </Button>
      )}
      <span role="status" className="text-[13px] text-muted">
        {repeat.data !== undefined && selected.length === 0 && words.repeated(formatNumber(repeat.data))}
      </span>
      {repeat.error && <ErrorNote error={repeat.error} />}
      {cancelling && (
        <Confirm
          title={words.cancelTitle(formatNumber(unfinished.length))}
          text={words.cancelText}
          action={words.cancel(formatNumber(unfinished.length))}
          keep={words.keep}
          run={() => forEach(unfinished, ({ id }) => cancelUnlessEnded(workspace_id, id))}
          onClose={() => setCancelling(false)}
        />
      )}
    </Selection>
  );
}

/** Cancels a job; one that has ended since it was listed stays as it is. */
async function cancelUnlessEnded(workspaceId: string, jobId: string): Promise<void> {
  try {
    await cancelJob(workspaceId, jobId);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === CONFLICT)) throw error;
  }
}
