import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { keys } from './keys.ts';

const MOST = 100;

/** The forums of stored posts, most frequent first. */
export const forumsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.forums(workspace_id),
    queryFn: async ({ signal }) => {
      const query = { of: 'posts' as const, by: 'forum' as never, limit: MOST };
      const { facets } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/facets', {
          params: { path: { workspace_id }, query },
          signal,
        }),
      );
      return facets.forum ?? [];
    },
  });
