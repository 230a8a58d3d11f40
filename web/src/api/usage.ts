import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { keys } from './keys.ts';

/** What the workspace stores, and how much of its quotas it uses. */
export const usageQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.usage(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/usage', { params: { path: { workspace_id } } })),
  });
