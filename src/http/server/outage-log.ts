import type { Logger } from 'pino';
import { isServerUnavailable } from '../../common/dependency-unavailable.js';

/** Milliseconds without a failure after which an outage has ended. */
const QUIET_MS = 10_000;

interface Outage {
  startedAt: number;
  lastAt: number;
  leftOut: number;
}

/**
 * Keeps the log short while Postgres or Redis is away: of all lines about that only the first of each outage is written, and
 * one at its end.
 */
export class OutageLog {
  private outage: Outage | null = null;

  constructor(private readonly logger: Logger) {}

  /** Whether the line about an error is to be written. */
  admits(error: unknown): boolean {
    if (!isServerUnavailable(error)) return true;
    const now = performance.now();
    if (this.outage !== null) {
      this.outage.lastAt = now;
      this.outage.leftOut += 1;
      return false;
    }
    this.outage = { startedAt: now, lastAt: now, leftOut: 0 };
    this.endAfter(QUIET_MS);
    return true;
  }

  private endAfter(milliseconds: number): void {
    setTimeout(() => {
      const { startedAt, lastAt, leftOut } = this.outage!;
      const left = QUIET_MS - (performance.now() - lastAt);
      if (left > 0) return this.endAfter(left);
      this.outage = null;
      if (leftOut > 0)
        this.logger.info(
          { seconds: Math.ceil((lastAt - startedAt) / 1_000), linesLeftOut: leftOut },
          'servers available again',
        );
    }, milliseconds).unref();
  }
}
