import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type Dataset = Schemas['DatasetDto'];

/** How often the list is reloaded while it has an unfinished dataset. */
const REFRESH_MS = 1_000;
const PAGE = 50;

const isUnfinished = ({ status }: Dataset): boolean => status === 'pending' || status === 'running';

/** The frozen searches, newest first. */
export const datasetsQuery = (workspace_id: string) =>
  infiniteQueryOptions({
    queryKey: keys.datasets(workspace_id),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/datasets', {
          params: { path: { workspace_id }, query: { limit: PAGE, offset: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : null),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.datasets.some(isUnfinished)) ? REFRESH_MS : false,
  });
