import type { ForumOptions } from './world/forums.js';

export const FAULT_KINDS = ['429', '500', '503', 'truncate', 'reset', 'slow', 'html'] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultOptions {
  /** Share of requests that go wrong, in [0, 1]. */
  rate: number;
  kinds: readonly FaultKind[];
  /** One request goes wrong at most so often in a row; 3 when left out. */
  maxInARow?: number;
  /** How long `slow` waits before it answers; 3,000 when left out. */
  slowMs?: number;
  /** `Retry-After` of a `429`, in seconds; 1 when left out. */
  retryAfterSeconds?: number;
}

/** What decides the content. The same options give the same content, in every process and at every time. */
export interface WorldOptions {
  /** 1 when left out. */
  seed?: number;
  /** The moment until which content exists; 1 November 2026 when left out. */
  epoch?: Date;
  /** Forums of one's own, or other sizes for the built-in ones, by name. */
  forums?: Record<string, ForumOptions>;
  /** New posts keep appearing after `epoch`, so many a minute in every forum. */
  live?: { postsPerMinute: number };
  /** The clock of live content, tokens and the budget; the system's when left out. Milliseconds. */
  now?: () => number;
}

export interface SandboxOptions extends WorldOptions {
  /** 127.0.0.1 when left out. */
  host?: string;
  /** 0, any free port, when left out. */
  port?: number;
  /** Added to every answer. */
  latencyMs?: number;
  /** Up to so much more, drawn for each request. */
  jitterMs?: number;
  /** Requests a minute that one client id may make; null or left out: no budget and no headers about it. */
  requestsPerMinute?: number | null;
  /** The budget is counted over such a window; 600 when left out. */
  windowSeconds?: number;
  faults?: FaultOptions | null;
  /** 86,400 when left out. */
  tokenTtlSeconds?: number;
  /** A token ends after so many requests. */
  expireTokenAfterRequests?: number | null;
  /** The archive answers 422 to larger pages than this. */
  archiveSlowAboveLimit?: number | null;
}
