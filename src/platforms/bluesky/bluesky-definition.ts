import { siteBudget, sitesOf } from '../sites/sites.js';
import type { PlatformDefinition } from '../platform-definition.js';
import { APPVIEW, BlueskyPlatform } from './bluesky-platform.js';
import { addressOfUri, parseBlueskyTarget, resolveBluesky } from './bluesky-target.js';
import { accountOfId, BLUESKY_PREFIX } from './bluesky-wire.js';
import { Jetstream } from './jetstream.js';

/** Bluesky, through its public AppView and its stream of posts. Handles and tags are not case-sensitive. */
export const BLUESKY: PlatformDefinition = {
  source: 'bluesky',
  name: 'Bluesky',
  prefix: 'bsky',
  targets: [
    {
      form: 'bsky:HANDLE',
      example: 'bsky:bsky.app',
      targetType: 'user',
      description: 'the posts of an account, with their replies',
    },
    {
      form: 'bsky:#TOPIC',
      example: 'bsky:#rstats',
      targetType: 'forum',
      description: 'the posts with a tag since the first job that named it',
    },
    {
      form: 'bsky:search/QUERY',
      example: 'bsky:search/"solid state" battery',
      targetType: 'forum',
      description:
        'the posts of all accounts that match a query in the language of `q`, since the first job that named it',
    },
    {
      form: 'bsky:at://DID/app.bsky.graph.list/ID',
      example: 'bsky:at://did:plc:z4cp3uwgxiioi7uaxn2boq47/app.bsky.graph.list/3l7o5d7b7nl2q',
      targetType: 'forum',
      description: 'the posts of the accounts of a list',
    },
    {
      form: 'bsky:at://DID/app.bsky.feed.generator/ID',
      example: 'bsky:at://did:plc:z72i7hdynmk6r22z27h6tvur/app.bsky.feed.generator/whats-hot',
      targetType: 'forum',
      description: 'the posts of a feed, in its own order and as far back as it goes',
    },
  ],
  parseTarget: parseBlueskyTarget,
  isCaseSensitive: () => false,
  parseForum: (name) =>
    name.toLowerCase() === 'bsky.app'
      ? { name: 'bsky.app' }
      : {
          refusal: `No post has the forum "bsky:${name}". Posts of Bluesky have the forum bsky:bsky.app; filter by tag with \`flair\``,
        },
  searchIn: (_, { q }) => `search/${q}`,
  ids: { post: BLUESKY_PREFIX, comment: BLUESKY_PREFIX, accountOf: accountOfId },
  origin: 'https://bsky.app',
  listening: { form: 'bluesky', example: 'bluesky' },
  hasSites: false,
  budget: (environment) => siteBudget(environment, APPVIEW),
  remedies: {
    blocked:
      'Ask the operator to check BLUESKY_APPVIEW_URL and the IP address of the workers; then repeat the job',
  },
  licence: 'Rights stay with the authors, who may delete their posts at any time.',
  lacks: [
    'titles: the first words stand for them',
    'votes down',
    'posts with a tag or of a search from before the first job that named it',
    'files of videos: their picture is shown',
    'replies that blocks or moderation hide, and those below deleted ones',
    'posts of accounts that ask not to be shown to visitors',
  ],
  modes: {
    full: 'posts from the newest on, with their comments; of a tag or a search all that were collected since its first job',
    monitor:
      'posts from the newest on, until all posts of a page are already stored; the first job of a tag or a search begins to collect',
  },
  resolve: resolveBluesky,
  addressOf: addressOfUri,
  create: (context) => {
    const { BLUESKY_APPVIEW_URL, JETSTREAM_URL } = context.environment;
    const ofSource = { ...context, budget: () => context.budget() };
    const sites = sitesOf('bluesky', ofSource, { [APPVIEW]: BLUESKY_APPVIEW_URL });
    return new BlueskyPlatform(sites, new Jetstream(JETSTREAM_URL, context.userAgent));
  },
};
