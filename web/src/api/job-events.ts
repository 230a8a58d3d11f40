import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Schemas, workspaceUrl } from './client.ts';

export type Job = Schemas['JobDto'];

/** After this time a stream that was refused is opened again, e.g. when a proxy answered while the service restarted. */
const REOPEN_MS = 5_000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
export const hasEnded = (job: Pick<Job, 'status'>): boolean => ENDED.has(job.status);

/** The cached record of a job. */
export const jobKey = (workspaceId: string, jobId: string) => ['job', workspaceId, jobId] as const;

/**
 * Writes a job's record into the cache after every change, as server-sent events bring it, until the job ends. `lost` while
 * the connection is broken, which is opened again.
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
      client.setQueryData(jobKey(workspaceId, jobId), job);
      const others = {
        predicate: ({ queryKey }: Query) => queryKey[0] !== 'job' && queryKey[0] !== 'session',
      };
      if (type !== 'end' && !hasEnded(job)) {
        // What other pages remember is older than this record, and is read anew when they are opened.
        void client.invalidateQueries({ ...others, refetchType: 'none' });
        return;
      }
      source.close();
      // Counts and lists that the job has changed are read anew.
      void client.invalidateQueries(others);
    };
    source.addEventListener('progress', onRecord);
    source.addEventListener('end', onRecord);
    source.addEventListener('error', () => {
      setState('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      // The browser opens a broken stream again, but not one that was refused. The record shows why, e.g. that the session ended.
      void client.invalidateQueries({ queryKey: jobKey(workspaceId, jobId) });
      reopening = setTimeout(() => setRefusals(refusals + 1), REOPEN_MS);
    });
    return () => {
      clearTimeout(reopening);
      source.close();
    };
  }, [client, workspaceId, jobId, enabled, refusals]);
  return state;
}
