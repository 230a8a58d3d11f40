import type { PlatformDefinition } from '../platform-definition.js';
import { StackExchangePlatform } from './stackexchange-platform.js';
import {
  ORIGINS,
  parseStackExchangeTarget,
  resolveStackExchange,
  siteNamed,
} from './stackexchange-target.js';
import { STACKEXCHANGE_PREFIX } from './stackexchange-wire.js';

const MORE_REQUESTS =
  'The operator can set STACKEXCHANGE_KEY, which raises the requests of a day from 300 to 10,000';

/** The sites of Stack Exchange, through their common API. Tags are in lower case, accounts have numbers. */
export const STACKEXCHANGE: PlatformDefinition = {
  source: 'stackexchange',
  name: 'Stack Exchange',
  prefix: 'stackexchange',
  targets: [
    {
      form: 'stackexchange:SITE/TAG',
      example: 'stackexchange:stackoverflow/rust',
      targetType: 'forum',
      description: 'the questions with a tag, with their answers and comments',
    },
    {
      form: 'stackexchange:SITE/USERID',
      example: 'stackexchange:superuser/1000',
      targetType: 'user',
      description: 'the questions of an account, by its number',
    },
  ],
  parseTarget: parseStackExchangeTarget,
  isCaseSensitive: () => false,
  parseForum: (name) =>
    name.includes('/')
      ? {
          refusal: `No question has the forum "stackexchange:${name}". Questions have their site: stackexchange:SITE; filter by tag with \`flair\``,
        }
      : { name: siteNamed(name.toLowerCase()) },
  searchIn: (site, { name }) => `${site}/${name.toLowerCase().replace(/\s+/g, '-')}`,
  ids: { post: STACKEXCHANGE_PREFIX, comment: STACKEXCHANGE_PREFIX },
  origin: 'https://{site}.stackexchange.com',
  origins: ORIGINS,
  hasSites: false,
  budget: ({ STACKEXCHANGE_KEY }) => ({
    key: 'stackexchange',
    limit: { requests: STACKEXCHANGE_KEY === undefined ? 300 : 10_000, withinMs: 86_400_000 },
  }),
  remedies: {
    budget: MORE_REQUESTS,
    rate_limited: `Repeat the job after midnight UTC. ${MORE_REQUESTS}`,
    credentials_refused: 'Ask the operator to check STACKEXCHANGE_KEY',
  },
  licence:
    'CC BY-SA (2.5, 3.0 or 4.0, by the date of the text): name the author and link the post. Deleted content must be deleted.',
  lacks: ['numbers of votes up and down', 'media', 'deleted content: it is missing, without a reason'],
  modes: {
    full: 'questions with the latest activity first, with all that was said in them',
    monitor: 'questions with the latest activity first, until all of a page are stored and unchanged',
  },
  resolve: resolveStackExchange,
  create: ({ environment, userAgent, budget, logAs, dependencies }) =>
    new StackExchangePlatform({
      baseUrl: environment.STACKEXCHANGE_API_URL,
      key: environment.STACKEXCHANGE_KEY,
      userAgent,
      budget: budget(),
      onLog: logAs('StackExchange'),
      dependencies,
    }),
};
