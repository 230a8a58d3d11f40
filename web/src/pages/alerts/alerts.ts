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

/** Pauses or resumes an alert. */
export const setAlertActive = (workspace_id: string, alert_id: string, is_active: boolean) =>
  dataOf(
    api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
      params: { path: { workspace_id, alert_id } },
      body: { is_active },
    }),
  );

/** Deletes an alert, even while the page is being left. */
export const deleteAlert = (workspace_id: string, alert_id: string) =>
  dataOf(
    api.DELETE('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
      params: { path: { workspace_id, alert_id } },
      keepalive: true,
    }),
  );
