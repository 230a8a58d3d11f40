import type { ClaimedDelivery } from './delivery-claims.repository.js';
import type { DueLane } from './destination.js';
import type { ResolvedDestination } from './destinations.js';
import { concurrencyOf, isSuspect, LANE_REFILL } from './lane-limits.js';

/** A claimed delivery that waits for its turn. */
export interface HeldDelivery {
  delivery: ClaimedDelivery;
  destination: ResolvedDestination;
  /** On the clock of `performance.now()`. */
  leasedUntil: number;
}

/** What this process holds of one destination. */
export class Lane {
  readonly waiting: HeldDelivery[] = [];
  /** Claimed, while the destination is still being loaded. */
  reserved = 0;
  underWay = 0;
  failures: number;

  constructor(readonly destination: DueLane) {
    this.failures = destination.failures;
  }

  get held(): number {
    return this.reserved + this.waiting.length + this.underWay;
  }

  /** Whether the next claim leaves the destination out. */
  get isFull(): boolean {
    return this.held >= (isSuspect(this.failures) ? 1 : LANE_REFILL);
  }

  /** The next delivery to send, as far as the destination may be sent more at once. */
  next(): HeldDelivery | undefined {
    return this.underWay < concurrencyOf(this.failures) ? this.waiting.shift() : undefined;
  }

  /** Deliveries that the destination, being suspect by now, shall not be sent in a row. */
  surplus(): ClaimedDelivery[] {
    return isSuspect(this.failures) ? this.empty() : [];
  }

  /** Hands out all that waits. */
  empty(): ClaimedDelivery[] {
    return this.waiting.splice(0).map(({ delivery }) => delivery);
  }
}
