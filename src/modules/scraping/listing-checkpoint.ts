import { z } from 'zod';
import { STOP_REASONS } from '../jobs/job.entity.js';

const VERSION = 1;

const schema = z.object({
  /** Changes when an older checkpoint can no longer be continued. */
  version: z.literal(VERSION),
  /** Index into the plan of listings; its length stands for the archive behind them. */
  step: z.int().min(0),
  /** The platform's cursor in the listing of this step; null at its start. */
  after: z.string().nullable(),
  /** Pages and posts read of this listing. */
  pages: z.int().min(0),
  items: z.int().min(0),
  /** Pages in a row without a post that is new to the job. */
  idlePages: z.int().min(0),
  /** Creation time of the oldest post of the first listing, ISO 8601: the archive goes on there. */
  oldest: z.iso.datetime().nullable(),
  /** The archive's cursor, ISO 8601. */
  before: z.iso.datetime().nullable(),
  /** Set when the listing is over. */
  stopReason: z.enum(STOP_REASONS).nullable(),
});

/** Where the reading of a target's listings stands; stored with every batch as JSON. */
export type ListingCheckpoint = Readonly<z.output<typeof schema>>;

/** The checkpoint of a job that has read nothing. */
export const START: ListingCheckpoint = {
  version: VERSION,
  step: 0,
  after: null,
  pages: 0,
  items: 0,
  idlePages: 0,
  oldest: null,
  before: null,
  stopReason: null,
};

/** Parses a stored checkpoint; null when it is damaged or of another version, so that the caller reads from the start. */
export function parseCheckpoint(stored: unknown): ListingCheckpoint | null {
  const parsed = schema.safeParse(stored);
  return parsed.success ? parsed.data : null;
}
