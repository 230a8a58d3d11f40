import { LRUCache } from 'lru-cache';

const MAX_RESTING = 1_000;
const REST_MS = 5 * 60_000;

/** Records whose work failed in this process, which leave others their turn for five minutes; at most 1,000. */
export class RestingIds {
  /** The end of each rest; the longest resting is forgotten first. */
  private readonly ends = new LRUCache<string, number>({ max: MAX_RESTING });

  add(id: string, now: Date): void {
    this.ends.set(id, now.getTime() + REST_MS);
  }

  /** Those that still rest. */
  at(now: Date): string[] {
    return [...this.ends.entries()].filter(([, end]) => end > now.getTime()).map(([id]) => id);
  }
}
