import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';
import { useSession } from './session.ts';
import { keys } from './keys.ts';

export const jobQuery = (workspaceId: string, jobId: string) =>
  queryOptions({
    queryKey: keys.job(workspaceId, jobId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}', {
          params: { path: { workspace_id: workspaceId, job_id: jobId }, query: { view: 'full' } },
        }),
      ),
  });

/** Cancels a job; what it stored is kept. */
export const cancelJob = (workspace_id: string, job_id: string) =>
  dataOf(
    api.DELETE('/api/v1/workspaces/{workspace_id}/jobs/{job_id}', {
      params: { path: { workspace_id, job_id } },
    }),
  );

/** Starts another job with the settings of one. */
export const repeatJob = (workspace_id: string, job_id: string) =>
  dataOf(
    api.POST('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/repeat', {
      params: { path: { workspace_id, job_id } },
    }),
  );

/** A function that starts a job; with the same key it starts only one. */
export function useStartJob(): (
  body: Schemas['CreateJobDto'],
  idempotencyKey: string,
) => Promise<Schemas['JobDto']> {
  const client = useQueryClient();
  const { workspace_id } = useSession();
  return async (body, idempotencyKey) => {
    const job = await dataOf(
      api.POST('/api/v1/workspaces/{workspace_id}/jobs', {
        params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
        body,
      }),
    );
    // Without its settings, which the page of the job reads again.
    client.setQueryData(keys.job(workspace_id, job.id), job, { updatedAt: 0 });
    void client.invalidateQueries({ queryKey: keys.allJobs() });
    return job;
  };
}

/** A key for one submission of a form, so that a repeated request takes effect only once. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
