/** Ids of Reddit are base-36 numbers far below this; those of other sources are numbers above it. */
const HACKERNEWS_OFFSET = 2 ** 52;

/** The numbers of comments whose ids begin with a prefix: from the first, below the second. */
export function commentNumbers(prefix: string): [number, number] {
  return prefix === 'hn_' ? [HACKERNEWS_OFFSET, 2 * HACKERNEWS_OFFSET] : [0, HACKERNEWS_OFFSET];
}

/**
 * The number of a comment: stable, unique over all sources, a safe integer, and independent of any sequence. The base-36
 * digits of a Reddit id (`t1_…`); the number of a Hacker News id (`hn_…`) above 2^52. NaN for an id that is neither.
 */
export function commentNumber(commentId: string): number {
  const item = /^hn_(\d{1,15})$/.exec(commentId)?.[1];
  return item === undefined
    ? Number.parseInt(commentId.replace(/^t1_/, ''), 36)
    : HACKERNEWS_OFFSET + Number(item);
}
