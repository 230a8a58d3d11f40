import type { DestinationKind } from '../../queue/delivery.entity.js';

export class OutboxOverviewDto {
  /** Events that have not been turned into deliveries yet. */
  pending: number;
  /** Age of the oldest pending event; 0 if there is none. */
  lag_seconds: number;
  /** Events that could not be turned into deliveries and were set aside. */
  set_aside: number;
}

export class OpenCircuitDto {
  /** Id of the webhook, alert, report or member. */
  id: string;
  /** Name of the alert or report, or host of the webhook; null for a member, or if it is deleted or its URL cannot be decrypted. */
  name: string | null;
  workspace_id: string;
  kind: DestinationKind;
  /** Failed attempts since the last success. */
  failures: number;
  /** When the next probe is due; null if nothing is pending. */
  next_attempt_at: Date | null;
}
