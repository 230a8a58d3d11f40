import type { DestinationKind } from './delivery.entity.js';

/** A receiver of deliveries: a webhook, or the channel of an alert. */
export interface Destination {
  workspaceId: string;
  kind: DestinationKind;
  id: string;
}

/** Identifies a destination. Keys sort in the order in which rows are locked, so that transactions cannot deadlock. */
export function destinationKey({ workspaceId, kind, id }: Destination): string {
  return `${workspaceId}:${kind}:${id}`;
}
