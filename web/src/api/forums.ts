import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { keys } from './keys.ts';

const MOST = 100;

/** The forums in which a query finds something, most frequent first; an empty one finds everything. */
export const forumsQuery = (
  workspace_id: string,
  of: 'posts' | 'comments',
  q = '',
  filters: { created_after?: string; created_before?: string } = {},
) =>
  queryOptions({
    queryKey: keys.forums(workspace_id, of, q, filters),
    queryFn: async ({ signal }) => {
      const query = { ...filters, ...(q !== '' && { q }), of, by: 'forum' as never, limit: MOST };
      const { facets } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/facets', {
          params: { path: { workspace_id }, query },
          signal,
        }),
      );
      return facets.forum ?? [];
    },
  });
