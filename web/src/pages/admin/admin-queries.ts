import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type AdminWorkspace = Schemas['AdminWorkspaceDto'];

const PAGE = 50;
/** How often a workspace that is being deleted is reloaded. */
const REFRESH_MS = 2_000;

export const workspacesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: keys.adminWorkspaceList(q),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/admin/workspaces', {
          params: {
            query: { limit: PAGE, ...(q !== '' && { q }), ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
  });

export const workspaceQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.adminWorkspace(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/admin/workspaces/{workspace_id}', { params: { path: { workspace_id } } })),
    refetchInterval: ({ state }) => (state.data?.status === 'deleting' ? REFRESH_MS : false),
  });

/** The keys of a workspace. */
export const workspaceKeysQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.adminWorkspaceKeys(workspace_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/admin/workspaces/{workspace_id}/api-keys', { params: { path: { workspace_id } } }),
      ),
  });
