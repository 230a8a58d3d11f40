import type { ClaimedDelivery, LoadedDestination } from './destination-loader.js';
import { claimLimit, concurrencyOf, type DueQueue, isCircuitOpen } from '../queue/send-limits.js';

/** A claimed delivery that is ready to be sent. */
export interface ReadyDelivery {
  delivery: ClaimedDelivery;
  destination: LoadedDestination;
  /** When the lease expires, on the clock of `performance.now()`. */
  leasedUntil: number;
}

/** Weight of the newest response time in the moving average. */
const NEWEST = 0.2;

/**
 * The claimed deliveries of one destination in this process. `p-limit` does not fit: the concurrency limit depends on
 * the circuit, and queued deliveries must be removable so that their leases can be released.
 */
export class SendQueue {
  private readonly ready: ReadyDelivery[] = [];
  /** Number of claimed deliveries whose destination is being loaded. */
  private loading = 0;
  private sending = 0;
  /** Number of attempted deliveries whose decision is being recorded. */
  private recording = 0;
  /** Whether the last claim reached its limit, so that more deliveries may be due. */
  private isTruncated = false;
  failures: number;
  /** Moving average of the destination's response times in milliseconds; null before the first response. */
  answerMs: number | null = null;

  constructor(readonly destination: DueQueue) {
    this.failures = destination.failures;
  }

  get held(): number {
    return this.loading + this.ready.length + this.sending + this.recording;
  }

  /** Whether the next claim excludes the destination. */
  get isFull(): boolean {
    return this.held >= claimLimit(this.failures, this.answerMs) / 2;
  }

  /** Whether another claim would probably find deliveries for which there is room. */
  get hasBacklog(): boolean {
    return this.isTruncated && !this.isFull;
  }

  /** Counts claimed deliveries as held while their destination is being loaded. */
  reserve(count: number, isTruncated: boolean): void {
    this.loading += count;
    this.isTruncated = isTruncated;
  }

  /** Ends a reservation of `count` deliveries and queues those that can be sent. */
  accept(count: number, deliveries: readonly ReadyDelivery[]): void {
    this.loading -= count;
    this.ready.push(...deliveries);
  }

  /** Takes the next delivery to send; undefined when there is none or the concurrency limit is reached. */
  start(): ReadyDelivery | undefined {
    if (this.sending >= concurrencyOf(this.failures)) return undefined;
    const next = this.ready.shift();
    if (next !== undefined) this.sending += 1;
    return next;
  }

  /**
   * Records that a started delivery was attempted, or that no request was sent (null); its decision still has to be
   * written.
   */
  attempted(attempt: { succeeded: boolean; durationMs: number } | null): void {
    this.sending -= 1;
    this.recording += 1;
    if (attempt === null) return;
    this.failures = attempt.succeeded ? 0 : this.failures + 1;
    this.answerMs =
      this.answerMs === null
        ? attempt.durationMs
        : (1 - NEWEST) * this.answerMs + NEWEST * attempt.durationMs;
  }

  /** Records that the decision on an attempted delivery was written. */
  recorded(): void {
    this.recording -= 1;
  }

  /**
   * Removes the deliveries whose leases must be released: those whose lease expires before `leasedBefore` and, while
   * the circuit is open, all but the next probe.
   */
  takeReleasable(leasedBefore: number): ClaimedDelivery[] {
    const fresh = this.ready.findIndex(({ leasedUntil }) => leasedUntil > leasedBefore);
    const releasable = this.ready.splice(0, fresh < 0 ? this.ready.length : fresh);
    if (isCircuitOpen(this.failures)) releasable.push(...this.ready.splice(this.sending > 0 ? 0 : 1));
    return releasable.map(({ delivery }) => delivery);
  }

  /** Removes every delivery that is not being sent. */
  takeAll(): ClaimedDelivery[] {
    return this.ready.splice(0).map(({ delivery }) => delivery);
  }
}
