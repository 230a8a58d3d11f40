import { z } from 'zod';
import { address, flag, wholeNumber } from '../../common/variable-types.js';

const REDDIT_API = 'https://oauth.reddit.com';

/**
 * What ids of the synthetic platform of `npm start` begin with after `t3_` or `t1_`. Reddit numbers its content in base 36
 * without leading zeros, so that none of its ids begins so.
 */
export const SYNTHETIC_ID_MARK = '0syn';

/** Origin of the addresses of synthetic posts. Names below `.invalid` never exist (RFC 2606). */
export const SYNTHETIC_SITE = 'https://synthetic.invalid';

/** The variables of Reddit and of its archive. */
export const REDDIT_VARIABLES = {
  PLATFORM_CLIENT_ID: z.string().optional().meta({
    description:
      'your Reddit application; while it is unset, `npm start` without `DATABASE_URL` scrapes a synthetic platform',
    shown: 'unset',
  }),
  PLATFORM_CLIENT_SECRET: z.string().optional().describe('secret of that application'),
  PLATFORM_BASE_URL: address('http:', 'https:').default(REDDIT_API).describe("base URL of Reddit's listings"),
  PLATFORM_AUTH_URL: address('http:', 'https:')
    .default('https://www.reddit.com')
    .describe("base URL of Reddit's tokens and feeds"),
  PLATFORM_IS_SYNTHETIC: flag.describe(
    'whether `PLATFORM_BASE_URL` is the synthetic platform of `npm start`, which sets it; its content has the source `synthetic`',
  ),
  PLATFORM_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(100)
    .describe('budget shared by all workers of one client id; there is none on the synthetic platform'),
  ARCHIVE_BASE_URL: address('http:', 'https:')
    .optional()
    .describe(
      'an Arctic Shift compatible archive for `history`; without credentials and feeds, Reddit targets are served only from it',
    ),
  REDDIT_FEEDS: flag.meta({
    description:
      "`true` reads Reddit targets without an application, from Reddit's own feeds; [Sources](sources.md#from-the-feeds-without-an-application) says what that means",
    shown: 'false',
  }),
  REDDIT_FEED_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000)
    .default(1)
    .describe("requests for Reddit's feeds of all processes together"),
  REDDIT_FEED_USER: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'must be the name of an account at Reddit, without u/')
    .optional()
    .describe('the account whose feeds are read; required with `REDDIT_FEED_TOKEN`'),
  REDDIT_FEED_TOKEN: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be the text after feed= in an address at reddit.com/prefs/feeds')
    .optional()
    .describe(
      "that account's token for feeds, from reddit.com/prefs/feeds; sent to `PLATFORM_AUTH_URL` only",
    ),
};

/** The settings of Reddit, after parsing. */
export type RedditSettings = z.output<z.ZodObject<typeof REDDIT_VARIABLES>>;

/** Whether no OAuth application of Reddit is configured. */
export function hasNoApplication(settings: Pick<RedditSettings, 'PLATFORM_CLIENT_ID'>): boolean {
  return settings.PLATFORM_CLIENT_ID === undefined;
}

/** Whether Reddit targets are read from Reddit's feeds: the operator chose so, and there is no application. */
export function usesFeeds(settings: Pick<RedditSettings, 'PLATFORM_CLIENT_ID' | 'REDDIT_FEEDS'>): boolean {
  return hasNoApplication(settings) && settings.REDDIT_FEEDS;
}

/**
 * Whether only Reddit's archive serves Reddit targets: an archive is configured, but no access to the platform itself.
 */
export function usesArchiveAlone(settings: RedditSettings): boolean {
  return hasNoAccess(settings) && settings.ARCHIVE_BASE_URL !== undefined;
}

/** Why Reddit cannot be read with these settings, as a sentence with the remedy; null when it can. */
export function redditObstacle(settings: RedditSettings): string | null {
  return hasNoAccess(settings) && settings.ARCHIVE_BASE_URL === undefined
    ? 'Reddit needs an application of your own: set PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET and PLATFORM_USER_AGENT, or ARCHIVE_BASE_URL to read an archive alone, or REDDIT_FEEDS=true to read its feeds'
    : null;
}

/** Whether neither an application, nor feeds, nor a platform in Reddit's place is configured. */
function hasNoAccess(settings: RedditSettings): boolean {
  return hasNoApplication(settings) && !settings.REDDIT_FEEDS && settings.PLATFORM_BASE_URL === REDDIT_API;
}

/** One sentence for each setting that another one requires. */
export function redditContradictions(
  settings: RedditSettings & { PLATFORM_USER_AGENT?: string | undefined },
): string[] {
  const problems: string[] = [];
  const { REDDIT_FEEDS, REDDIT_FEED_USER, REDDIT_FEED_TOKEN } = settings;
  if (REDDIT_FEEDS && (REDDIT_FEED_USER === undefined) !== (REDDIT_FEED_TOKEN === undefined))
    problems.push(
      'REDDIT_FEED_USER and REDDIT_FEED_TOKEN must be set together; an address at reddit.com/prefs/feeds has both',
    );
  if (hasNoApplication(settings)) return problems;
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
