/** Ids of Reddit are base-36 numbers far below this offset; comments of other sources get numbers above it. */
const HACKERNEWS_OFFSET = 2 ** 52;

/** The range of numbers of comments whose ids begin with a prefix: inclusive start, exclusive end. */
export function commentNumbers(prefix: string): [number, number] {
  return prefix === 'hn_' ? [HACKERNEWS_OFFSET, 2 * HACKERNEWS_OFFSET] : [0, HACKERNEWS_OFFSET];
}

/**
 * The number of a comment: stable, unique across sources, a safe integer, and independent of any sequence. For a Reddit
 * id (`t1_…`), its base-36 digits as a number; for a Hacker News id (`hn_…`), its number plus 2^52. NaN for any other
 * id.
 */
export function commentNumber(commentId: string): number {
  const item = /^hn_(\d{1,15})$/.exec(commentId)?.[1];
  return item === undefined
    ? Number.parseInt(commentId.replace(/^t1_/, ''), 36)
    : HACKERNEWS_OFFSET + Number(item);
}

const REDDIT = 'https://www.reddit.com';
const HACKER_NEWS = 'https://news.ycombinator.com';

/** The site that a permalink (a path beginning with `/`) belongs to, as an origin. */
export function siteOf(permalink: string): string {
  return /^\/item\?id=\d+$/.test(permalink) ? HACKER_NEWS : REDDIT;
}
