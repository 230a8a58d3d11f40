import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

/** Refusals that are answered at once, however fast they follow: more than a client needs to notice its limit. */
export const PROMPT_REFUSALS = 100;
const DELAY_MS = 1_000;
/** After this time without a refusal a sender starts anew. */
const REMEMBERED_MS = 60_000;
const MAX_SENDERS = 10_000;
const MAX_WAITING = 1_000;

/**
 * Delays refusals of senders that go on beyond their limit: a client that repeats each refused request at once would otherwise
 * occupy the process with refusals. At most a thousand wait at a time; beyond these, refusals are answered at once.
 */
export class RefusalDelay {
  private readonly counts = new LRUCache<string, number>({ max: MAX_SENDERS, ttl: REMEMBERED_MS });
  private waiting = 0;

  /** Counts a refusal of a sender and waits a second when it had a hundred before. */
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
