import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';

export type Webhook = Schemas['WebhookDto'];
export type Delivery = Schemas['DeliveryDto'];
export type EventType = Webhook['events'][number];

export const webhooksQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.webhooks(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/webhooks', { params: { path: { workspace_id } } })),
  });

export const webhookQuery = (workspace_id: string, webhook_id: string) =>
  queryOptions({
    queryKey: keys.webhook(workspace_id, webhook_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
          params: { path: { workspace_id, webhook_id } },
        }),
      ),
  });

/** Pauses or resumes a webhook. */
export const setWebhookActive = (workspace_id: string, webhook_id: string, is_active: boolean) =>
  dataOf(
    api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
      params: { path: { workspace_id, webhook_id } },
      body: { is_active },
    }),
  );

/** Deletes a webhook, even while the page is being left. */
export const deleteWebhook = (workspace_id: string, webhook_id: string) =>
  dataOf(
    api.DELETE('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
      params: { path: { workspace_id, webhook_id } },
      keepalive: true,
    }),
  );
