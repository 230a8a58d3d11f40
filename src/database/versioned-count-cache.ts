import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { givenEntries } from '../common/collections.js';
import type { VersionedCount } from './count-deltas.js';

const MAX_COUNTS = 2_000;

/**
 * The last counts by workspace and filter. A count is valid only at its revision, which the caller compares with that of
 * the rows it reads. Keeps the 2,000 most recently used counts.
 */
export class VersionedCountCache {
  private readonly counts = new LRUCache<string, VersionedCount>({ max: MAX_COUNTS });

  /** The last count for a filter, at any revision; null when there is none. */
  last(workspaceId: string, filter: object): VersionedCount | null {
    return this.counts.get(keyOf(workspaceId, filter)) ?? null;
  }

  /** Stores a count, replacing an earlier one for the same filter. */
  set(workspaceId: string, filter: object, count: VersionedCount): void {
    this.counts.set(keyOf(workspaceId, filter), count);
  }
}

/** A hash, because a filter can contain thousands of ids. */
function keyOf(workspaceId: string, filter: object): string {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, ...givenEntries(filter)]))
    .digest('base64');
}
