import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { givenEntries } from '../common/collections.js';
import type { VersionedCount } from './count-deltas.js';

const MAX_COUNTS = 2_000;

/**
 * Counts by workspace and filter. A count is returned only for the revision at which it was made, so it is never older
 * than the rows that the caller has just read. Keeps the 2,000 most recently used counts.
 */
export class VersionedCountCache {
  private readonly counts = new LRUCache<string, VersionedCount>({ max: MAX_COUNTS });

  /** The count for a filter at a revision; null when it has to be computed. */
  get(workspaceId: string, filter: object, revision: string): number | null {
    const count = this.counts.get(keyOf(workspaceId, filter));
    return count?.revision === revision ? count.total : null;
  }

  /** The last count for a filter, at any revision; null when there is none. */
  last(workspaceId: string, filter: object): number | null {
    return this.counts.get(keyOf(workspaceId, filter))?.total ?? null;
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
