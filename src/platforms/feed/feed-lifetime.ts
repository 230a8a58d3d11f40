import type { FeedContent } from './feed-entry.js';

/** No feed is left alone for longer. */
const MAX_LIFETIME_MS = 86_400_000;

/**
 * For how many milliseconds a feed need not be asked again: as its site states in `Cache-Control` or `Expires`, or as the
 * feed itself does, whichever is longer; 0 where neither does. `now` is in epoch milliseconds.
 */
export function lifetimeOf(
  header: (name: string) => string | null,
  content: Pick<FeedContent, 'lifetimeMs'> | null,
  now: number,
): number {
  return Math.min(MAX_LIFETIME_MS, Math.max(statedLifetime(header, now), content?.lifetimeMs ?? 0));
}

function statedLifetime(header: (name: string) => string | null, now: number): number {
  const control = header('cache-control') ?? '';
  if (/\bno-(?:cache|store)\b/i.test(control)) return 0;
  const [, seconds] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,9})/i.exec(control) ?? [];
  if (seconds !== undefined) return Math.max(0, (Number(seconds) - Number(header('age') ?? 0)) * 1_000 || 0);
  const expires = Date.parse(header('expires') ?? '');
  return Number.isNaN(expires) ? 0 : Math.max(0, expires - now);
}
