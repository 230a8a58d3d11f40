import { z } from 'zod';
import { syntheticClock } from '../../config/environment-schema.js';
import { FATES } from '../data/edits.js';
import { FAULT_KINDS } from '../options.js';

const MOST_AT_ONCE = 1_000;
const count = z.int().min(1).max(MOST_AT_ONCE).default(1);
const accountName = z.string().regex(/^[\w-]{1,20}$/, 'must be 1 to 20 letters, digits, "_" or "-"');
const score = z.int().min(-1_000_000_000).max(1_000_000_000).default(1);
const id = z.string().regex(/^t[13]_[0-9a-z]{1,16}$/, 'must be the id of a post (t3_…) or a comment (t1_…)');

/** Body of `POST /__control/faults`. A rate of 0 ends the faults. */
export const faultsBody = z.strictObject({
  rate: z.number().min(0).max(1),
  kinds: z.array(z.enum(FAULT_KINDS)).min(1).default(['429', '500', '503']),
  max_in_a_row: z.int().min(1).max(1_000_000).optional(),
  slow_ms: z.int().min(0).max(600_000).optional(),
  retry_after_seconds: z.int().min(0).max(86_400).optional(),
});

/** Body of `POST /__control/clock`: a moment at which to stop it, `real`, or an offset by which to move it. */
export const clockBody = z
  .strictObject({
    now: syntheticClock.optional(),
    advance_seconds: z.number().min(0).max(1_000_000_000).optional(),
  })
  .refine((body) => (body.now === undefined) !== (body.advance_seconds === undefined), {
    error: 'must have exactly one of now and advance_seconds',
  });

/** Body of `POST /__control/posts`. Omitted fields are generated. */
export const postsBody = z.strictObject({
  forum: z.string().min(1).max(255),
  title: z.string().min(1).max(300).optional(),
  selftext: z.string().max(40_000).optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  author: accountName.optional(),
  score,
  flair: z.string().min(1).max(64).optional(),
  over_18: z.boolean().default(false),
  count,
});

/** Body of `POST /__control/comments`. Omitted fields are generated. */
export const commentsBody = z.strictObject({
  post: id,
  parent: id.optional(),
  body: z.string().min(1).max(10_000).optional(),
  author: accountName.optional(),
  score,
  count,
});

/** Body of `POST /__control/delete`. */
export const deleteBody = z.strictObject({
  ids: z.array(id).min(1).max(MOST_AT_ONCE),
  as: z.enum(FATES).default('deleted'),
});

/** Body of `POST /__control/reset`, which may be absent. */
export const resetBody = z.strictObject({});
