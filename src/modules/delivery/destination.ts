import type { DestinationKind } from './delivery.entity.js';

/** Where deliveries go. */
export interface Destination {
  workspaceId: string;
  kind: DestinationKind;
  id: string;
}

/** Sorts as rows are locked, so that no two transactions wait for each other. */
export function destinationKey({ workspaceId, kind, id }: Destination): string {
  return `${workspaceId}:${kind}:${id}`;
}
