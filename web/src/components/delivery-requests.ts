import { api, dataOf, type Schemas } from '../api/client.ts';

/** The destination of deliveries: a webhook, or the channel of an alert. */
export interface Destination {
  kind: 'webhook' | 'alert';
  id: string;
}

type Query = { limit: number; offset?: number; status?: Schemas['DeliveryDto']['status'] };

/** A page of the deliveries of a destination, newest first. */
export const readDeliveries = (
  workspace_id: string,
  { kind, id }: Destination,
  query: Query,
  signal?: AbortSignal,
): Promise<Schemas['DeliveryPageDto']> =>
  kind === 'webhook'
    ? dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries', {
          params: { path: { workspace_id, webhook_id: id }, query },
          ...(signal && { signal }),
        }),
      )
    : dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/deliveries', {
          params: { path: { workspace_id, alert_id: id }, query },
          ...(signal && { signal }),
        }),
      );

/** Sends a delivery once more. */
export const redeliver = (
  workspace_id: string,
  { kind, id }: Destination,
  delivery_id: string,
): Promise<unknown> =>
  kind === 'webhook'
    ? dataOf(
        api.POST(
          '/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
          { params: { path: { workspace_id, delivery_id, webhook_id: id } } },
        ),
      )
    : dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/deliveries/{delivery_id}/redeliver', {
          params: { path: { workspace_id, delivery_id, alert_id: id } },
        }),
      );

const PAGE = 100;
/** Maximum number of deliveries that are sent again together. */
const MOST_REPLAYED = 500;

/** Sends again what failed since a time, oldest first, at most 500; returns how many. */
export async function replayFailed(
  workspace_id: string,
  destination: Destination,
  since: number,
): Promise<number> {
  const ids: string[] = [];
  for (const status of ['failed', 'undeliverable'] as const)
    for (let offset = 0; ids.length < MOST_REPLAYED; offset += PAGE) {
      const page = await readDeliveries(workspace_id, destination, { status, limit: PAGE, offset });
      const recent = page.deliveries.filter(({ created_at }) => Date.parse(created_at) >= since);
      ids.push(...recent.map(({ id }) => id));
      if (!page.has_more || recent.length < page.deliveries.length) break;
    }
  const replayed = ids.slice(0, MOST_REPLAYED).reverse();
  for (const id of replayed) await redeliver(workspace_id, destination, id);
  return replayed.length;
}
