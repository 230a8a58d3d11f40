import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Refusals that are sent without delay, at whatever rate: more than a client needs to detect its limit. */
export const PROMPT_REFUSALS = 100;
const DELAY_MS = 1_000;
/** A sender's count restarts after this time without a refusal. */
const REMEMBERED_MS = 60_000;
const MAX_SENDERS = 10_000;
const MAX_WAITING = 1_000;

/**
 * Delays refusals to senders that continue after reaching their limit: a client that retries each refused request at
 * once would otherwise keep the process busy with refusals. At most a thousand refusals wait at a time; further ones
 * are sent at once.
 */
export class RefusalDelay {
  private readonly counts = new LRUCache<string, number>({ max: MAX_SENDERS, ttl: REMEMBERED_MS });
  private waiting = 0;

  /** Counts a refusal of a sender and waits a second after the first hundred. */
  async wait(sender: string): Promise<void> {
    const count = (this.counts.get(sender) ?? 0) + 1;
    this.counts.set(sender, count);
    if (count <= PROMPT_REFUSALS || this.waiting >= MAX_WAITING) return;
    this.waiting += 1;
    try {
      await sleep(DELAY_MS);
    } finally {
      this.waiting -= 1;
    }
  }
}
