import { z } from 'zod';
import { STOP_REASONS } from '../jobs/stop-reasons.js';
import { MAX_KEPT_BACK } from './time-order.js';

const VERSION = 1;

const schema = z.object({
  /** Incremented when older checkpoints can no longer be resumed. */
  version: z.literal(VERSION),
  /** Index into the planned listings; their number stands for the archive, which follows them. */
  step: z.int().min(0),
  /** The platform's cursor in the listing of this step; null at its start. */
  after: z.string().nullable(),
  /** Pages read of this listing; `items` counts its posts. */
  pages: z.int().min(0),
  items: z.int().min(0),
  /** Consecutive pages without a post that is new to the job. */
  idlePages: z.int().min(0),
  /** Consecutive pages of which all posts were stored before the job began. */
  storedPages: z.int().min(0).default(0),
  /** Creation time of the newest post of the first listing, ISO 8601. */
  newest: z.iso.datetime().nullable().default(null),
  /** Creation time of the oldest post of the first listing, ISO 8601: the archive starts there. */
  oldest: z.iso.datetime().nullable(),
  /** The archive's cursor, ISO 8601. */
  before: z.iso.datetime().nullable(),
  /** Ids of posts of the first listing that wait for it to reach their time. */
  waiting: z.array(z.string()).max(MAX_KEPT_BACK).default([]),
  /** Set when the listing has ended. */
  stopReason: z.enum(STOP_REASONS).nullable(),
});

/** How far a target's listings have been read; stored with every batch as JSON. */
export type ListingCheckpoint = Readonly<z.output<typeof schema>>;

/** The checkpoint of a job that has read nothing. */
export const START: ListingCheckpoint = {
  version: VERSION,
  step: 0,
  after: null,
  pages: 0,
  items: 0,
  idlePages: 0,
  storedPages: 0,
  newest: null,
  oldest: null,
  before: null,
  waiting: [],
  stopReason: null,
};

/**
 * Parses a stored checkpoint. Returns null when it is damaged or of another version, so that the caller starts over.
 */
export function parseCheckpoint(stored: unknown): ListingCheckpoint | null {
  const parsed = schema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}
