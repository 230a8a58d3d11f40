import { LRUCache } from 'lru-cache';
import type { FaultKind, FaultOptions } from '../options.js';
import { fraction, hash, hashText } from '../data/random.js';

const MAX_FAILING_REQUESTS = 10_000;

/**
 * Decides which requests fail and how. The decision depends only on the seed, the request and its previous failures, so
 * concurrency does not change it. After `maxInARow` failures a request succeeds.
 */
export class Faults {
  private readonly failures = new LRUCache<string, number>({ max: MAX_FAILING_REQUESTS });

  constructor(
    private readonly seed: number,
    private readonly options: FaultOptions,
  ) {}

  /** The fault of this attempt, or null. `request` identifies the request across its attempts. */
  next(request: string): FaultKind | null {
    const failed = this.failures.get(request) ?? 0;
    const bits = hash(hashText(this.seed, request), failed);
    const kind = this.options.kinds[hash(bits, 1) % Math.max(1, this.options.kinds.length)];
    const fails =
      kind !== undefined && failed < (this.options.maxInARow ?? 3) && fraction(bits) < this.options.rate;
    this.failures.delete(request);
    if (!fails) return null;
    // A slow response is a success: the next identical request starts with zero failures.
    if (kind !== 'slow') this.failures.set(request, failed + 1);
    return kind;
  }

  get slowMs(): number {
    return this.options.slowMs ?? 3_000;
  }

  get retryAfterSeconds(): number {
    return this.options.retryAfterSeconds ?? 1;
  }
}
