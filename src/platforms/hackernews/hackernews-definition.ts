import type { BudgetRule, PlatformDefinition, Resolution } from '../platform-definition.js';
import type { Environment } from '../../config/environment.js';
import { paceOf } from '../polling/polling-stream.js';
import { HACKERNEWS_IDS } from './hackernews-ids.js';
import { HackerNewsPlatform } from './hackernews-platform.js';
import { parseHackerNewsForum, parseHackerNewsTarget } from './hackernews-search.js';

/** The forums at the paths of the site. */
const FORUM_OF_PATH: Readonly<Record<string, string>> = {
  '/': 'top',
  '/news': 'top',
  '/newest': 'new',
  '/ask': 'ask',
  '/asknew': 'ask',
  '/show': 'show',
  '/shownew': 'show',
  '/jobs': 'job',
  '/newcomments': 'comments',
};

/** Of so many requests, listening sends one: it asks every 20 seconds by default. */
const SHARED = 50;

/** Hacker News, through its Algolia API. Names of its users are case-sensitive. */
export const HACKERNEWS: PlatformDefinition = {
  source: 'hackernews',
  name: 'Hacker News',
  prefix: 'hn',
  targets: [
    { form: 'hn:new', example: 'hn:new', targetType: 'forum', description: 'all new stories' },
    { form: 'hn:top', example: 'hn:top', targetType: 'forum', description: 'the front page' },
    { form: 'hn:ask', example: 'hn:ask', targetType: 'forum', description: 'questions (Ask HN)' },
    { form: 'hn:show', example: 'hn:show', targetType: 'forum', description: 'own work (Show HN)' },
    { form: 'hn:job', example: 'hn:job', targetType: 'forum', description: 'job advertisements' },
    {
      form: 'hn:comments',
      example: 'hn:comments',
      targetType: 'forum',
      description: 'the stories with the newest comments, and their threads',
    },
    {
      form: 'hn:search/QUERY',
      example: 'hn:search/postgres',
      targetType: 'forum',
      description: 'the stories that the search finds',
    },
    { form: 'hn:NAME', example: 'hn:pg', targetType: 'user', description: 'the posts of an account' },
    {
      form: 'hn:NAME/comments',
      example: 'hn:pg/comments',
      targetType: 'user',
      description: 'the stories on which an account commented, and their threads',
    },
  ],
  parseTarget: parseHackerNewsTarget,
  isCaseSensitive: (type) => type === 'user',
  parseForum: parseHackerNewsForum,
  searchIn: (_, { name }) => `search/${name}`,
  ids: HACKERNEWS_IDS,
  origin: 'https://news.ycombinator.com',
  hasSites: false,
  listening: { form: 'hackernews', example: 'hackernews' },
  budget: budgetOf,
  remedies: {
    blocked:
      'Ask the operator to check HACKERNEWS_API_URL and the IP address of the workers; then repeat the job',
    budget:
      'No action needed: the job continues automatically. The operator can raise HACKERNEWS_REQUESTS_PER_HOUR as far as the API allows',
  },
  licence: 'Rights stay with the authors.',
  lacks: ['scores of comments', 'media', 'removed content: it is missing, without a reason'],
  resolve: resolveHackerNews,
  create: ({ environment, userAgent, budget, logAs, dependencies }) =>
    new HackerNewsPlatform(
      {
        baseUrl: environment.HACKERNEWS_API_URL,
        userAgent,
        budget: budget(),
        onLog: logAs('HackerNews'),
        dependencies,
      },
      paceOf(budgetOf(environment).limit, SHARED),
    ),
};

/** A sixth of the hour's requests in any ten minutes, so that no request waits for most of an hour. */
function budgetOf({ HACKERNEWS_REQUESTS_PER_HOUR }: Environment): BudgetRule {
  return {
    key: 'hackernews',
    limit: { requests: Math.floor(HACKERNEWS_REQUESTS_PER_HOUR / 6), withinMs: 10 * 60_000 },
  };
}

/** The story of an item is found by a request. */
function resolveHackerNews({ hostname, pathname, searchParams }: URL): Resolution | null {
  if (hostname === 'hn.algolia.com') return resolveSearch(searchParams);
  if (hostname !== 'news.ycombinator.com' || pathname === '/item') return null;
  if (pathname === '/user' || pathname === '/submitted' || pathname === '/threads') {
    const name = `${searchParams.get('id') ?? ''}${pathname === '/threads' ? '/comments' : ''}`;
    const parsed = parseHackerNewsTarget({ type: 'user', name });
    return 'refusal' in parsed ? parsed : { target: `hn:${name}`, targetType: 'user', name };
  }
  const forum = Object.hasOwn(FORUM_OF_PATH, pathname) ? FORUM_OF_PATH[pathname] : undefined;
  return forum === undefined
    ? {
        refusal: `${pathname} is no forum that can be scraped. Write hn:top, hn:new, hn:ask, hn:show, hn:job, hn:comments, or hn:search/QUERY, such as hn:search/${searchParams.get('site') ?? 'postgres'}`,
      }
    : { target: `hn:${forum}`, targetType: 'forum', name: `Hacker News: ${forum}` };
}

function resolveSearch(params: URLSearchParams): Resolution {
  const query = params.get('q') ?? params.get('query') ?? '';
  const parsed = parseHackerNewsTarget({ type: 'forum', name: `search/${query}` });
  return 'refusal' in parsed
    ? parsed
    : { target: `hn:${parsed.target.name}`, targetType: 'forum', name: `Hacker News: ${query.trim()}` };
}
