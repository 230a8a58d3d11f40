import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type Alert = Schemas['AlertDto'];

export const alertsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.alerts(workspace_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts', {
          params: { path: { workspace_id }, query: { view: 'full' } },
        }),
      ),
  });
