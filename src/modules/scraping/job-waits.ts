import type { RequestWait } from '../../platforms/platform.js';
import type { WaitingFor } from '../jobs/job.entity.js';

/** Shorter waits, and waits beside requests that succeed, are not shown. */
const SHOWN_AFTER_MS = 1_000;

/** The waits of a job's requests, and which of them holds the job up. */
export class JobWaits {
  /** With the time at which each began, oldest first. */
  private readonly waits = new Map<RequestWait, number>();
  private lastSuccessAt: number;

  constructor(private readonly now: () => number = () => performance.now()) {
    this.lastSuccessAt = now();
  }

  /** Adds a wait; the returned function ends it. */
  begin(wait: RequestWait): () => void {
    this.waits.set(wait, this.now());
    return () => void this.waits.delete(wait);
  }

  /** Records that a request succeeded: the job goes on, whatever else waits. */
  succeeded(): void {
    this.lastSuccessAt = this.now();
  }

  /** The oldest wait when it has lasted a second without any request that succeeded; null when the job goes on. */
  get current(): WaitingFor | null {
    const [oldest] = this.waits;
    const shownBefore = this.now() - SHOWN_AFTER_MS;
    if (oldest === undefined || oldest[1] > shownBefore || this.lastSuccessAt > shownBefore) return null;
    const [{ reason, until, cause }] = oldest;
    return { reason, until: until?.toISOString() ?? null, cause };
  }
}
