import type { Clock } from '../../common/clock.js';

const MAX_FAILURES = 5;
const PAUSE_MS = 60_000;

/** Pauses calls for a minute after five failures without a success, and after each further failure. */
export class ReaderBreaker {
  private failures = 0;
  private pausedUntil = 0;

  constructor(private readonly clock: Clock) {}

  get isPaused(): boolean {
    return this.clock.now().getTime() < this.pausedUntil;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(): void {
    this.failures += 1;
    if (this.failures >= MAX_FAILURES) this.pausedUntil = this.clock.now().getTime() + PAUSE_MS;
  }
}
