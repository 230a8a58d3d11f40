import { z } from 'zod';
import { wholeNumber } from '../common/variable-types.js';
import { HACKERNEWS_VARIABLES } from './hackernews/hackernews-variables.js';
import { REDDIT_VARIABLES, redditContradictions } from './reddit/reddit-variables.js';

/**
 * The variables of all platforms. This file and those that it imports import only `common/`, because the environment is
 * composed from them.
 */
export const PLATFORM_VARIABLES = {
  /** Sent with every request to a platform. */
  PLATFORM_USER_AGENT: z.string().optional(),
  /** Budget of each site of a platform that has many sites. */
  SOURCE_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(60),
  ...REDDIT_VARIABLES,
  ...HACKERNEWS_VARIABLES,
};

/** The settings of all platforms, after parsing. */
export type PlatformSettings = z.output<z.ZodObject<typeof PLATFORM_VARIABLES>>;

/** One sentence for each setting of a platform that another one requires. */
export function platformContradictions(settings: PlatformSettings): string[] {
  return redditContradictions(settings);
}
