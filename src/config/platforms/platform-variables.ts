import { z } from 'zod';
import { BLUESKY_VARIABLES } from './bluesky-variables.js';
import { GITHUB_VARIABLES } from './github-variables.js';
import { HACKERNEWS_VARIABLES } from './hackernews-variables.js';
import { SITE_VARIABLES } from './site-variables.js';
import { STACKEXCHANGE_VARIABLES } from './stackexchange-variables.js';
import { REDDIT_VARIABLES, redditContradictions } from './reddit-variables.js';

/** The variables of all platforms. */
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
  ...GITHUB_VARIABLES,
};

/** The settings of all platforms, after parsing. */
export type PlatformSettings = z.output<z.ZodObject<typeof PLATFORM_VARIABLES>>;

/** One sentence for each setting of a platform that another one requires. */
export function platformContradictions(settings: PlatformSettings): string[] {
  return redditContradictions(settings);
}
