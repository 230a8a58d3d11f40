import type { DestinationKind } from './delivery.entity.js';

/** Where deliveries go. */
export interface Destination {
  workspaceId: string;
  kind: DestinationKind;
  id: string;
}

/** A destination with something due. */
export interface DueLane extends Destination {
  /** Failed attempts since its last success. */
  failures: number;
}

/** Sorts as rows are locked, so that no two transactions wait for each other. */
export function destinationKey({ workspaceId, kind, id }: Destination): string {
  return `${workspaceId}:${kind}:${id}`;
}
