import type { RequestWait } from '../../platforms/platform.js';
import type { WaitingForDto } from '../jobs/dto/job-progress.dto.js';

/** A wait is shown only if it lasts longer than this and no request succeeds during it. */
const SHOWN_AFTER_MS = 1_000;

/** Tracks which requests of a job are waiting, and which wait delays the job. */
export class JobWaits {
  /** Start time of each wait, oldest first. */
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

  /** Records that a request succeeded: the job makes progress, even if other requests wait. */
  succeeded(): void {
    this.lastSuccessAt = this.now();
  }

  /**
   * The oldest wait, once it has lasted a second during which no request succeeded; null while the job makes progress.
   */
  get current(): WaitingForDto | null {
    const [oldest] = this.waits;
    const shownBefore = this.now() - SHOWN_AFTER_MS;
    if (oldest === undefined || oldest[1] > shownBefore || this.lastSuccessAt > shownBefore) return null;
    const [{ reason, until, cause }] = oldest;
    return { reason, until: until?.toISOString() ?? null, cause };
  }
}
