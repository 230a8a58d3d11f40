/** The source's rate limit in a response, as sent; null where it is absent. */
export interface LimitHeaders {
  remaining: string | null;
  used: string | null;
  /** The end of the window: see `statedDelay`. */
  reset: string | null;
}

/**
 * The limit in the headers of a response: `X-RateLimit-*`, `X-Rate-Limit-*`, `RateLimit-*`, or the limit of `RateLimit` with the fewest
 * requests left. `header` returns a header by its name in lower case, or null.
 */
export function limitHeaders(header: (name: string) => string | null): LimitHeaders {
  const combined = tightest(header('ratelimit') ?? '');
  const of = (name: 'remaining' | 'used' | 'reset'): string | null =>
    header(`x-ratelimit-${name}`) ??
    header(`x-rate-limit-${name}`) ??
    header(`ratelimit-${name}`) ??
    combined[name] ??
    null;
  return { remaining: of('remaining'), used: of('used'), reset: of('reset') };
}

/** Parses `"minute";r=5;t=30, "day";r=900;t=3600` or the older form, `limit=100, remaining=5, reset=30`. */
function tightest(text: string): { remaining?: string; reset?: string; used?: never } {
  const limits = (text.includes('"') ? text.split(',') : [text]).map((limit) => ({
    remaining: /\b(?:r|remaining)=(\d+)/.exec(limit)?.[1],
    reset: /\b(?:t|reset)=(\d+)/.exec(limit)?.[1],
  }));
  const left = ({ remaining }: { remaining?: string }): number => Number(remaining ?? Infinity);
  return limits.reduce((least, limit) => (left(limit) < left(least) ? limit : least));
}
