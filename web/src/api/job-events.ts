import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, dataOf, type Schemas } from './client.ts';
import { followStream } from './followed-stream.ts';
import { keepRecord } from './job-record.ts';
import { keys } from './keys.ts';

export type Job = Schemas['JobDto'];

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
  useEffect(() => {
    if (!enabled || jobId === undefined) return;
    const left = new AbortController();
    const onRecord = (job: Job, isLast: boolean): void => {
      keepRecord(client, keys.job(workspaceId, jobId), job, isLast);
      if (isLast) left.abort();
    };
    void followStream(
      {
        // The stream begins with the whole record, so that an interrupted one needs no position.
        lastEventId: undefined,
        open: async (_lastEventId, signal) =>
          (await dataOf(
            api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/events', {
              params: { path: { workspace_id: workspaceId, job_id: jobId } },
              parseAs: 'stream',
              signal,
            }),
          )) as unknown as ReadableStream<Uint8Array>,
        onEvent: ({ type, data }) => {
          setState('open');
          if (type !== 'progress' && type !== 'end') return;
          const job = JSON.parse(data) as Job;
          onRecord(job, type === 'end' || hasEnded(job));
        },
        onLost: () => {
          setState('lost');
          // Reloading the record shows the reason, e.g. an ended session.
          void client.invalidateQueries({ queryKey: keys.job(workspaceId, jobId) });
        },
      },
      left.signal,
    );
    return () => left.abort();
  }, [client, workspaceId, jobId, enabled]);
  return state;
}
