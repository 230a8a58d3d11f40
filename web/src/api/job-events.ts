import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Schemas, workspaceUrl } from './client.ts';
import { keys } from './keys.ts';

export type Job = Schemas['JobDto'];

/** Time after which a refused stream is opened again, e.g. when a proxy answered while the service restarted. */
const REOPEN_MS = 5_000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
export const hasEnded = (job: Pick<Job, 'status'>): boolean => ENDED.has(job.status);

/**
 * Writes a job's record into the cache after every change, from server-sent events, until the job ends. Returns `lost`
 * while the connection is interrupted; it is reopened.
 */
export function useJobEvents(
  workspaceId: string,
  jobId: string | undefined,
  enabled: boolean,
): 'open' | 'lost' {
  const client = useQueryClient();
  const [state, setState] = useState<'open' | 'lost'>('open');
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (!enabled || jobId === undefined) return;
    let reopening: ReturnType<typeof setTimeout>;
    const source = new EventSource(workspaceUrl(workspaceId, `/jobs/${jobId}/events`));
    const onRecord = ({ data, type }: MessageEvent<string>): void => {
      setState('open');
      const job = JSON.parse(data) as Job;
      // The events do not hold the settings of the job, which do not change.
      client.setQueryData<Job>(keys.job(workspaceId, jobId), (before) => ({ ...before, ...job }));
      const others = {
        predicate: ({ queryKey }: Query) => queryKey[0] !== 'job' && queryKey[0] !== 'session',
      };
      if (type !== 'end' && !hasEnded(job)) {
        // Data cached by other pages is now older than this record, and is reloaded when they are opened.
        void client.invalidateQueries({ ...others, refetchType: 'none' });
        return;
      }
      source.close();
      // Reloads counts and lists that the job has changed.
      void client.invalidateQueries(others);
    };
    source.addEventListener('progress', onRecord);
    source.addEventListener('end', onRecord);
    source.addEventListener('error', () => {
      setState('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser reopens a broken stream, but not a refused one. Reloading the record shows the reason, e.g. an
      // ended session.
      void client.invalidateQueries({ queryKey: keys.job(workspaceId, jobId) });
      reopening = setTimeout(() => setRefusals(refusals + 1), REOPEN_MS);
    });
    return () => {
      clearTimeout(reopening);
      source.close();
    };
  }, [client, workspaceId, jobId, enabled, refusals]);
  return state;
}
