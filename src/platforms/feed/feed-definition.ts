import type { PlatformDefinition } from '../platform-definition.js';
import { ON_MANY_SITES, sitesOf } from '../sites/sites.js';
import { FeedPlatform } from './feed-platform.js';
import { FEED_PREFIX } from './feed-posts.js';
import { parseFeedForum, parseFeedTarget, readFeedAddress } from './feed-target.js';

/** Feeds of RSS, Atom and JSON Feed. The path of an address is case-sensitive, the names of authors are not. */
export const FEED: PlatformDefinition = {
  source: 'feed',
  name: 'Feeds',
  prefix: 'feed',
  targets: [
    {
      form: 'feed:ADDRESS',
      example: 'feed:https://blog.example/feed.xml',
      targetType: 'forum',
      description: 'the entries of a feed (RSS, Atom, JSON Feed), with the comments that it links',
    },
  ],
  parseTarget: parseFeedTarget,
  parseForum: parseFeedForum,
  ids: { post: FEED_PREFIX, comment: FEED_PREFIX },
  ...ON_MANY_SITES,
  isCaseSensitive: (type) => type === 'forum',
  remedies: {
    target_not_found:
      'Send the address of a page of the site to POST /sources/resolve, which finds the feed that it links',
  },
  licence: 'Rights stay with the authors; each site has terms of its own.',
  listening: {
    form: 'feed:ADDRESS',
    example: 'feed:https://blog.example/feed.xml',
    placeOf: (text) => readFeedAddress(text)?.href ?? null,
    liveSeconds: 900,
  },
  lacks: [
    'scores',
    'entries that the feed no longer holds, and comments beyond those that its feed of comments holds',
    'deletions: an entry that is missing may only be too old for its feed',
  ],
  modes: {
    full: 'the entries of the feed, newest first, with the comments that it links, and the older pages that it links',
    monitor: 'the entries of the feed, without a request within the time for which it is said to be current',
  },
  create: (context) => new FeedPlatform(sitesOf('feed', context)),
};
