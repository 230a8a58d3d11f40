import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { recentRuns } from './run-outcomes.ts';
import type { Schedule } from './schedules.ts';

/** Newest jobs of the source among which those of the schedule are looked for. */
const LOOKED_AT = 50;
const REFRESH_MS = 30_000;

/** The recent runs of a schedule; undefined until they are known, or while not enabled. */
export function useRecentRuns({ id, target, mode }: Schedule, enabled: boolean) {
  const { workspace_id } = useSession();
  return useQuery({
    queryKey: keys.recentRuns(workspace_id, id),
    queryFn: async ({ signal }) => {
      const { jobs } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
          params: { path: { workspace_id }, query: { target, mode, view: 'full', limit: LOOKED_AT } },
          signal,
        }),
      );
      // With `view=full` the list holds whole records, newest first.
      return recentRuns(jobs as Schemas['JobDto'][], id);
    },
    enabled,
    refetchInterval: REFRESH_MS,
  }).data;
}
