import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { givenEntries } from '../common/given-entries.js';
import type { VersionedCount } from './count-deltas.js';

const MAX_COUNTS = 2_000;

/**
 * Counts by workspace and filter. A count is returned only for the revision on which it was made, so it is never older
 * than the rows that the caller has just read. Holds the 2,000 most recently used counts.
 */
export class VersionedCountCache {
  private readonly counts = new LRUCache<string, VersionedCount>({ max: MAX_COUNTS });

  /** The count for a filter at a revision; null when it has to be counted. */
  get(workspaceId: string, filter: object, revision: string): number | null {
    const count = this.counts.get(keyOf(workspaceId, filter));
    return count?.revision === revision ? count.total : null;
  }

  /** Keeps a count in place of an earlier one for the same filter. */
  set(workspaceId: string, filter: object, count: VersionedCount): void {
    this.counts.set(keyOf(workspaceId, filter), count);
  }
}

/** A hash, since a filter can name thousands of ids. */
function keyOf(workspaceId: string, filter: object): string {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, ...givenEntries(filter)]))
    .digest('base64');
}
