import { z } from 'zod';
import { address, wholeNumber } from '../../common/variable-types.js';

const REDDIT_API = 'https://oauth.reddit.com';

/** The variables of Reddit and of its archive. */
export const REDDIT_VARIABLES = {
  PLATFORM_CLIENT_ID: z.string().optional().meta({
    description:
      'your Reddit application; with `npm start` the synthetic platform is scraped while it is unset',
    shown: 'unset',
  }),
  PLATFORM_CLIENT_SECRET: z.string().optional().describe('secret of that application'),
  PLATFORM_BASE_URL: address('http:', 'https:').default(REDDIT_API).describe("base URL of Reddit's listings"),
  PLATFORM_AUTH_URL: address('http:', 'https:')
    .default('https://www.reddit.com')
    .describe("base URL of Reddit's tokens"),
  PLATFORM_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('budget shared by all workers of one client id; there is none on the synthetic platform'),
  ARCHIVE_BASE_URL: address('http:', 'https:')
    .optional()
    .describe(
      'an Arctic Shift compatible archive for `history`; without credentials, Reddit targets are served only from it',
    ),
};

/** The settings of Reddit, after parsing. */
export type RedditSettings = z.output<z.ZodObject<typeof REDDIT_VARIABLES>>;

/** Whether scrapes go to the synthetic platform, which is the case when no OAuth application is configured. */
export function usesSandbox(settings: Pick<RedditSettings, 'PLATFORM_CLIENT_ID'>): boolean {
  return settings.PLATFORM_CLIENT_ID === undefined;
}

/**
 * Whether only Reddit's archive serves Reddit targets: an archive is configured, but no access to the platform itself.
 */
export function usesArchiveAlone(settings: RedditSettings): boolean {
  const { ARCHIVE_BASE_URL, PLATFORM_BASE_URL } = settings;
  return usesSandbox(settings) && ARCHIVE_BASE_URL !== undefined && PLATFORM_BASE_URL === REDDIT_API;
}

/**
 * Whether posts of Reddit targets are synthetic: no OAuth application is configured, and the address is not Reddit's.
 */
export function hasSyntheticReddit(settings: RedditSettings): boolean {
  return usesSandbox(settings) && settings.PLATFORM_BASE_URL !== REDDIT_API;
}

/** One sentence for each setting that another one requires. */
export function redditContradictions(
  settings: RedditSettings & { PLATFORM_USER_AGENT?: string | undefined },
): string[] {
  if (usesSandbox(settings)) return [];
  const problems: string[] = [];
  if (settings.PLATFORM_CLIENT_SECRET === undefined)
    problems.push(
      "PLATFORM_CLIENT_SECRET must be set together with PLATFORM_CLIENT_ID; Reddit's application page shows both",
    );
  if (settings.PLATFORM_USER_AGENT === undefined)
    problems.push(
      'PLATFORM_USER_AGENT must be set together with PLATFORM_CLIENT_ID, e.g. to "server:my-scraper:1.0 (by /u/me)"; Reddit blocks clients without one',
    );
  return problems;
}
