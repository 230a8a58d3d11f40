import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { recentRuns } from './run-outcomes.ts';
import type { Schedule } from './schedules.ts';

/** Newest jobs of the source among which those of the schedule are looked for. */
const LOOKED_AT = 50;
const REFRESH_MS = 30_000;

/** The newest jobs that a schedule started, newest first. */
const jobsOfSchedule = (workspace_id: string, { id, target, mode }: Schedule) =>
  queryOptions({
    queryKey: keys.recentRuns(workspace_id, id),
    queryFn: async ({ signal }) => {
      const { jobs } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
          params: { path: { workspace_id }, query: { target, mode, view: 'full', limit: LOOKED_AT } },
          signal,
        }),
      );
      // With `view=full` the list holds whole records, newest first.
      return (jobs as Schemas['JobDto'][]).filter(({ schedule_id }) => schedule_id === id);
    },
    refetchInterval: REFRESH_MS,
  });

/** The recent runs of a schedule; undefined until they are known, or while not enabled. */
export function useRecentRuns(schedule: Schedule, enabled: boolean) {
  const { workspace_id } = useSession();
  return useQuery({ ...jobsOfSchedule(workspace_id, schedule), enabled, select: recentRuns }).data;
}

/** The status of a job by its id, for the newest jobs that a schedule started. */
export function useRunStatuses(schedule: Schedule): ReadonlyMap<string, Schemas['JobDto']['status']> {
  const { workspace_id } = useSession();
  const jobs = useQuery(jobsOfSchedule(workspace_id, schedule)).data ?? [];
  return new Map(jobs.map(({ id, status }) => [id, status]));
}
