import type { DestinationKind } from './delivery.entity.js';

/** A receiver of deliveries: a webhook, the channel of an alert or report, or a member who is notified of alerts. */
export interface Destination {
  workspaceId: string;
  kind: DestinationKind;
  id: string;
}

/** A unique key of a destination. Rows are locked in the order of these keys, so that transactions cannot deadlock. */
export function destinationKey({ workspaceId, kind, id }: Destination): string {
  return `${workspaceId}:${kind}:${id}`;
}
