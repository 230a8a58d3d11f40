import { z } from 'zod';
import { BLUESKY_VARIABLES } from './bluesky/bluesky-variables.js';
import { HACKERNEWS_VARIABLES } from './hackernews/hackernews-variables.js';
import { SITE_VARIABLES } from './http/site-variables.js';
import { STACKEXCHANGE_VARIABLES } from './stackexchange/stackexchange-variables.js';
import { REDDIT_VARIABLES, redditContradictions } from './reddit/reddit-variables.js';

/**
 * The variables of all platforms. This file and those that it imports import only `common/`, because the environment is
 * composed from them.
 */
export const PLATFORM_VARIABLES = {
  PLATFORM_USER_AGENT: z
    .string()
    .optional()
    .describe('sent with every request to a platform; required with `PLATFORM_CLIENT_ID`'),
  SOURCES_DIR: z.string().optional().describe('folder with your own sources: code that the service runs'),
  ...SITE_VARIABLES,
  ...REDDIT_VARIABLES,
  ...HACKERNEWS_VARIABLES,
  ...BLUESKY_VARIABLES,
  ...STACKEXCHANGE_VARIABLES,
};

/** The settings of all platforms, after parsing. */
export type PlatformSettings = z.output<z.ZodObject<typeof PLATFORM_VARIABLES>>;

/** One sentence for each setting of a platform that another one requires. */
export function platformContradictions(settings: PlatformSettings): string[] {
  return redditContradictions(settings);
}
