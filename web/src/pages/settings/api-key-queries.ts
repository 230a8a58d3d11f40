import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type ApiKey = Schemas['ApiKeyDto'];

export const keysQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.apiKeys(workspace_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id }, query: { view: 'full' } },
        }),
      ),
  });
