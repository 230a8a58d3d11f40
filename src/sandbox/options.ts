import type { ForumOptions } from './data/forums.js';

/** Kinds of failures that the synthetic platform can inject. */
export const FAULT_KINDS = ['429', '500', '503', 'truncate', 'reset', 'slow', 'html'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Which requests fail, and how. */
export interface FaultOptions {
  /** Share of requests that fail, in [0, 1]. */
  rate: number;
  kinds: readonly FaultKind[];
  /** The same request fails at most this many times in a row. Default 3. */
  maxInARow?: number;
  /** Delay of a `slow` response in milliseconds. Default 3,000. */
  slowMs?: number;
  /** `Retry-After` of a `429`, in seconds. Default 1. */
  retryAfterSeconds?: number;
}

/** Determines the generated content: the same options give the same content in every process at any time. */
export interface DataSetOptions {
  /** Default 1. */
  seed?: number;
  /** Additional forums, or other sizes for built-in ones, by name. */
  forums?: Record<string, ForumOptions>;
  /** New posts keep appearing after the epoch, at this rate in every forum. */
  live?: { postsPerMinute: number };
  /** Prefix of all bare ids: at most six digits or lower-case letters. Default empty. */
  idMark?: string;
  /** Origin of the addresses of posts, without a path. Default Reddit's. */
  site?: string;
  /** The clock of live content, tokens and the budget, in milliseconds. Default `Date.now`. */
  now?: () => number;
}

/** The generated data, and the behaviour of the server in front of it. */
export interface SandboxOptions extends DataSetOptions {
  /** The moment at which the content's clock is stopped; when absent, it follows `now`. */
  clock?: Date;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Delay of every response in milliseconds. */
  latencyMs?: number;
  /** Maximum random additional delay of a response in milliseconds. */
  jitterMs?: number;
  /** Requests a minute that one client id may make. Null or absent: no budget and no `x-ratelimit-*` headers. */
  requestsPerMinute?: number | null;
  /** Length of the window over which the budget is counted, in seconds. Default 600. */
  windowSeconds?: number;
  faults?: FaultOptions | null;
  /** Default 86,400. */
  tokenTtlSeconds?: number;
  /** A token expires after this many requests. */
  expireTokenAfterRequests?: number | null;
  /** The archive responds with 422 to pages larger than this. */
  archiveSlowAboveLimit?: number | null;
}
