import type { Platform } from '../platform.js';
import type {
  PlatformContext,
  PlatformDefinition,
  Resolution,
  SyntheticSource,
} from '../platform-definition.js';
import { ArchivePlatform } from './archive/archive-platform.js';
import { ArcticShiftArchive } from './archive/arctic-shift-archive.js';
import { perMinute } from '../http/request-budget.js';
import { REDDIT_IDS, SYNTHETIC_IDS } from './reddit-ids.js';
import { parseRedditTarget } from './reddit-names.js';
import { RedditPlatform } from './reddit-platform.js';
import {
  redditObstacle,
  SYNTHETIC_SITE,
  usesArchiveAlone,
  usesFeeds,
} from '../../config/platforms/reddit-variables.js';
import { FEED_RETRIES, FeedDocuments, FEEDS_SITE } from './feeds/reddit-feed-documents.js';
import { FEEDS_SOURCE, FeedsPlatform } from './feeds/feeds-platform.js';
import { sitesOf } from '../sites/sites.js';
import { UnreadablePlatform } from '../unreadable-platform.js';

/** Credentials for the synthetic platform; the real platform needs the operator's own. */
const SANDBOX_CLIENT = { id: 'sandbox', secret: 'sandbox' };

const isCaseSensitive = (): boolean => false;

/** Ids and source of invented content of `npm start` in place of Reddit. */
const SYNTHETIC: SyntheticSource = {
  source: 'synthetic',
  name: 'Synthetic platform',
  ids: SYNTHETIC_IDS,
  isCaseSensitive,
  origin: SYNTHETIC_SITE,
  licence: 'Invented by the service itself, and free of rights.',
  isUsed: ({ PLATFORM_IS_SYNTHETIC }) => PLATFORM_IS_SYNTHETIC,
};

/** Reddit, through its API or, without credentials, from its feeds or its archive. */
export const REDDIT: PlatformDefinition = {
  source: 'reddit',
  name: 'Reddit',
  prefix: null,
  targets: [
    { form: 'NAME', example: 'technology', targetType: 'forum', description: 'the posts of a subreddit' },
    { form: 'NAME', example: 'spez', targetType: 'user', description: 'the posts of an account' },
    {
      form: 'NAME/comments',
      example: 'spez/comments',
      targetType: 'user',
      description: 'the posts on which an account commented, and their threads',
    },
  ],
  parseTarget: parseRedditTarget,
  isCaseSensitive,
  ids: REDDIT_IDS,
  origin: 'https://www.reddit.com',
  shortPath: (permalink) => /^\/(?:[^/]+\/){1,2}comments\/[^/]+\//.exec(permalink)?.[0] ?? null,
  synthetic: SYNTHETIC,
  obstacle: redditObstacle,
  hasSites: false,
  budget: (environment) =>
    usesFeeds(environment)
      ? { key: FEEDS_SOURCE, limit: perMinute(environment.REDDIT_FEED_REQUESTS_PER_MINUTE) }
      : {
          key: environment.PLATFORM_CLIENT_ID ?? SANDBOX_CLIENT.id,
          limit: perMinute(environment.PLATFORM_REQUESTS_PER_MINUTE),
        },
  missing: (environment) => (usesFeeds(environment) ? MISSING_IN_FEEDS : null),
  remedies: {
    credentials_missing:
      'Ask the operator to set PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET and PLATFORM_USER_AGENT and restart the workers; then repeat the job',
    credentials_refused:
      'Ask the operator to correct PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET and restart the workers; then repeat the job',
    blocked:
      'Ask the operator to check PLATFORM_USER_AGENT, the OAuth application and the IP address of the workers; then repeat the job',
    budget:
      'No action needed: the job continues automatically. The operator can raise PLATFORM_REQUESTS_PER_MINUTE, or REDDIT_FEED_REQUESTS_PER_MINUTE for feeds, as far as Reddit allows',
  },
  licence:
    'Rights stay with the authors. Reddit requires that deleted content is deleted, and forbids training models without its permission.',
  lacks: ['posts beyond about 1,000 of a listing, unless an archive is configured'],
  modes: {
    full: 'the newest posts, at most about 1,000, with their comments',
    history: 'all listings of the target, then the archive if there is one',
  },
  resolve: resolveReddit,
  create: createReddit,
};

const MISSING_IN_FEEDS =
  "scores, numbers of comments, flairs and marks, which comment answers which, comments beyond the newest 100 of a post, posts on which an account commented, and later deletions: it is read from Reddit's feeds (REDDIT_FEEDS)";

const NAME_ONE = 'Copy the address of a subreddit or an account, such as https://www.reddit.com/r/technology';

function resolveReddit({ hostname, pathname }: URL): Resolution | null {
  if (/^(?:[a-z-]+\.)?redd\.it$/.test(hostname))
    return { refusal: `${hostname} shortens addresses. Open it and copy the address that it leads to` };
  if (!/^(?:[a-z-]+\.)?reddit\.com$/.test(hostname)) return null;
  if (/^\/(?:r\/[\w-]+\+|(?:u|user)\/[\w-]+\/m\/)/i.test(pathname))
    return { refusal: `Several subreddits are no target. ${NAME_ONE}` };
  const [, kind = '', account = '', comments = ''] =
    /^\/(r|u|user)\/([\w-]{1,64})(?:(\/comments)\/?$|\/|$)/i.exec(pathname) ?? [];
  const name = kind.toLowerCase() === 'r' ? account : account && account + comments.toLowerCase();
  if (name === '') return { refusal: `The address names no subreddit and no account. ${NAME_ONE}` };
  return kind.toLowerCase() === 'r'
    ? { target: name, targetType: 'forum', name: `r/${name}` }
    : { target: name, targetType: 'user', name: `u/${name}` };
}

function createReddit(context: PlatformContext): Platform {
  const { environment, userAgent, budget, logAs, dependencies } = context;
  const obstacle = redditObstacle(environment);
  if (obstacle !== null) return new UnreadablePlatform(REDDIT.source, obstacle);
  const archive =
    environment.ARCHIVE_BASE_URL === undefined
      ? null
      : new ArcticShiftArchive({
          baseUrl: environment.ARCHIVE_BASE_URL,
          userAgent,
          onLog: logAs('Archive'),
          dependencies,
        });
  if (archive !== null && usesArchiveAlone(environment)) return new ArchivePlatform(archive);
  if (usesFeeds(environment)) return createFeeds(context, archive);
  return new RedditPlatform({
    content: SYNTHETIC.isUsed(environment) ? SYNTHETIC : REDDIT,
    baseUrl: environment.PLATFORM_BASE_URL,
    authUrl: environment.PLATFORM_AUTH_URL,
    clientId: environment.PLATFORM_CLIENT_ID ?? SANDBOX_CLIENT.id,
    clientSecret: environment.PLATFORM_CLIENT_SECRET ?? SANDBOX_CLIENT.secret,
    userAgent,
    archive,
    budget: budget(),
    onLog: logAs('Reddit'),
    dependencies,
  });
}

/** Reddit's robots.txt asks all programs not to read it: the operator decides otherwise with REDDIT_FEEDS. */
function createFeeds(context: PlatformContext, archive: ArcticShiftArchive | null): Platform {
  const {
    PLATFORM_AUTH_URL,
    SOURCE_SITES,
    REDDIT_FEED_USER: user,
    REDDIT_FEED_TOKEN: token,
  } = context.environment;
  const sites = sitesOf(
    FEEDS_SOURCE,
    { ...context, budget: () => context.budget() },
    { [FEEDS_SITE]: PLATFORM_AUTH_URL, ...SOURCE_SITES },
    { ignoresNoindex: true, retries: FEED_RETRIES },
  );
  const account = user === undefined || token === undefined ? null : { user, token };
  return new FeedsPlatform(new FeedDocuments(sites.of(FEEDS_SITE), account), archive, () => sites.close());
}
