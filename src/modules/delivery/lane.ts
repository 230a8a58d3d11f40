import type { ClaimedDelivery } from './delivery-claims.repository.js';
import type { DueLane } from './destination.js';
import type { ResolvedDestination } from './destinations.js';
import { concurrencyOf, holdOf, isSuspect } from './lane-limits.js';

/** A claimed delivery that waits for its turn. */
export interface HeldDelivery {
  delivery: ClaimedDelivery;
  destination: ResolvedDestination;
  /** On the clock of `performance.now()`. */
  leasedUntil: number;
}

/** Weight of the newest answer in the average. */
const NEWEST = 0.2;

/** What this process holds of one destination. */
export class Lane {
  private readonly waiting: HeldDelivery[] = [];
  /** Claimed, while the destination is still being loaded. */
  private loading = 0;
  private underWay = 0;
  /** Answered, while the outcome is being written. */
  private settling = 0;
  /** The last claim may have left something behind. */
  private isCut = false;
  failures: number;
  /** How long the destination takes to answer, about. */
  answerMs: number | null = null;

  constructor(readonly destination: DueLane) {
    this.failures = destination.failures;
  }

  get held(): number {
    return this.loading + this.waiting.length + this.underWay + this.settling;
  }

  /** Whether the next claim leaves the destination out. */
  get isFull(): boolean {
    return this.held >= holdOf(this.failures, this.answerMs) / 2;
  }

  /** More is due and there is room for it. */
  get isHungry(): boolean {
    return this.isCut && !this.isFull;
  }

  reserve(count: number, isCut: boolean): void {
    this.loading += count;
    this.isCut = isCut;
  }

  /** Ends a reservation, with what came of it. */
  accept(reserved: number, deliveries: readonly HeldDelivery[]): void {
    this.loading -= reserved;
    this.waiting.push(...deliveries);
  }

  /** The next delivery to send, as far as the destination may be sent more at once. */
  start(): HeldDelivery | undefined {
    if (this.underWay >= concurrencyOf(this.failures)) return undefined;
    const next = this.waiting.shift();
    if (next !== undefined) this.underWay += 1;
    return next;
  }

  /** The delivery was answered or given up; its outcome is still to be written. */
  answered(attempt: { succeeded: boolean; durationMs: number } | null): void {
    this.underWay -= 1;
    this.settling += 1;
    if (attempt === null) return;
    this.failures = attempt.succeeded ? 0 : this.failures + 1;
    this.answerMs =
      this.answerMs === null
        ? attempt.durationMs
        : (1 - NEWEST) * this.answerMs + NEWEST * attempt.durationMs;
  }

  settled(): void {
    this.settling -= 1;
  }

  /**
   * Takes out what shall not wait here: what was leased too long ago and, when the destination is suspect by now, all
   * but the next probe.
   */
  takeSurplus(leasedBefore: number): ClaimedDelivery[] {
    const fresh = this.waiting.findIndex(({ leasedUntil }) => leasedUntil > leasedBefore);
    const surplus = this.waiting.splice(0, fresh < 0 ? this.waiting.length : fresh);
    if (isSuspect(this.failures)) surplus.push(...this.waiting.splice(this.underWay > 0 ? 0 : 1));
    return surplus.map(({ delivery }) => delivery);
  }

  /** Takes out all that waits. */
  empty(): ClaimedDelivery[] {
    return this.waiting.splice(0).map(({ delivery }) => delivery);
  }
}
