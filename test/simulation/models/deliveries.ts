import type { DeliveryAttempt } from '../../../src/deliver/queue/delivery.entity.js';
import type { ServiceProcess } from '../processes.js';
import { Violation } from '../violation.js';
import type { Treatment } from '../virtual-network.js';
import { type Held, isSound } from './leases.js';

/** Waits before the retries of a delivery. */
export const RETRIES_MS = [10_000, 120_000, 900_000, 3_600_000, 4 * 3_600_000];
/** How far the clocks of two processes may differ, with rounding. */
const SKEW_MS = 4_500;

/** A delivery as stored. */
export interface DeliveryRow {
  id: string;
  destination: string;
  status: string;
  attempts: number;
  history: DeliveryAttempt[];
}

/** A delivery that is to be repeated. */
export interface RetryRow {
  id: string;
  attempts: number;
  nextAt: Date;
  last: DeliveryAttempt;
}

/**
 * An event reaches each destination under one id, not twice at a time, in the attempts of the retry schedule, and not
 * before the receiver's `Retry-After`.
 */
export class DeliveryModel {
  private readonly inFlight = new Map<string, ServiceProcess>();
  private readonly accepted = new Set<string>();
  /** The last attempt of each delivery. */
  private readonly attempts = new Map<string, { since: number; process: ServiceProcess }>();
  private readonly notBefore = new Map<string, { at: number; since: number; process: ServiceProcess }>();
  private broken: string | null = null;

  constructor(private readonly now: () => number) {}

  /** A process sends a delivery. */
  arrived(id: string, process: ServiceProcess, treatment: Treatment): void {
    const other = this.inFlight.get(id);
    if (other !== undefined && isSound(other, this.now()) && isSound(process, this.now()))
      this.broken ??= `${process.name} and ${other.name} send delivery ${id} at a time`;
    const busy = this.notBefore.get(id);
    // A process that was paused sends what it began before.
    if (busy !== undefined && this.now() < busy.at && hasRecorded(busy) && isSound(process, this.now()))
      this.broken ??= `Delivery ${id} was repeated before the receiver's Retry-After`;
    this.inFlight.set(id, process);
    this.attempts.set(id, { since: this.now(), process });
    const { kind, status, retryAfterSeconds, delayMs } = treatment;
    if (kind === 'answer' && status < 300) this.accepted.add(id);
    if (kind === 'answer' && retryAfterSeconds !== undefined)
      this.notBefore.set(id, {
        at: this.now() + delayMs + retryAfterSeconds * 1_000,
        since: this.now(),
        process,
      });
    else this.notBefore.delete(id);
  }

  ended(id: string): void {
    this.inFlight.delete(id);
  }

  /** The deliveries that sound processes are sending. */
  held(): Held[] {
    return [...this.inFlight].flatMap(([id, process]) =>
      isSound(process, this.now()) ? { id, owner: process.sender } : [],
    );
  }

  check(): void {
    if (this.broken !== null) throw new Violation(this.broken);
  }

  /** The waits before retries, where nothing delayed the recording. */
  checkWaits(rows: readonly RetryRow[]): void {
    for (const { id, attempts, nextAt, last } of rows) {
      const isBusy = last.responseCode === 429 || last.responseCode === 503;
      const waitMs = nextAt.getTime() - Date.parse(last.at) - last.durationMs;
      const attempt = this.attempts.get(id);
      const isLate = attempt === undefined || !hasRecorded(attempt);
      if (!isBusy && !isLate && waitMs > 1.2 * RETRIES_MS[attempts - 1]! + SKEW_MS)
        throw new Violation(`Delivery ${id} waits ${waitMs} ms after attempt ${attempts}`);
    }
  }

  /** Checks the deliveries after everything has worked for long enough. */
  checkEnd(rows: readonly DeliveryRow[]): void {
    for (const { id, destination, status, attempts, history } of rows) {
      const broken = (what: string): never => {
        throw new Violation(`Delivery ${id} to ${destination} ${what}`);
      };
      if (status === 'pending' || status === 'undeliverable') broken(`is ${status}`);
      if (status === 'delivered' && !this.accepted.has(id)) broken('was never accepted');
      if (status === 'failed' && attempts !== RETRIES_MS.length + 1)
        broken(`failed after ${attempts} attempts`);
      history.slice(1).forEach(({ at, succeeded }, index) => {
        const before = history[index]!;
        // A success counts even when the lease was lost before it was recorded.
        if (succeeded) return;
        const earliest = Date.parse(before.at) + before.durationMs + RETRIES_MS[index]! - SKEW_MS;
        if (Date.parse(at) < earliest) broken(`was repeated at ${at}, too early after ${before.at}`);
      });
    }
  }
}

/** Whether nothing kept a process from recording what it began at a time. */
const hasRecorded = ({ since, process }: { since: number; process: ServiceProcess }): boolean =>
  !process.isDead && process.disturbedAt < since;
