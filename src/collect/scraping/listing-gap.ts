import type { ListingCheckpoint } from './listing-checkpoint.js';

/**
 * Estimated number of posts between the newest one that was known before a pass and the oldest one that the pass read, by
 * the pace of those that it read: at least 1 when it did not reach the known one, because there may be one; otherwise 0.
 */
export function gapBehind(
  { newest, oldest, items }: Pick<ListingCheckpoint, 'newest' | 'oldest' | 'items'>,
  newestKnown: Date | null,
): number {
  if (newestKnown === null || newest === null || oldest === null) return 0;
  const unreadMs = Date.parse(oldest) - newestKnown.getTime();
  if (unreadMs <= 0) return 0;
  const paceMs = (Date.parse(newest) - Date.parse(oldest)) / Math.max(1, items - 1);
  return paceMs === 0 ? 1 : Math.max(1, Math.round(unreadMs / paceMs) - 1);
}
