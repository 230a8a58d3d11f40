import { BLUESKY } from './bluesky/bluesky-definition.js';
import { DISCOURSE } from './discourse/discourse-definition.js';
import { FEED } from './feed/feed-definition.js';
import { GITHUB } from './github/github-definition.js';
import { HACKERNEWS } from './hackernews/hackernews-definition.js';
import { FLARUM } from './flarum/flarum-definition.js';
import { LEMMY } from './lemmy/lemmy-definition.js';
import { MAIL } from './mail/mail-definition.js';
import { MASTODON } from './mastodon/mastodon-definition.js';
import { loadSources } from './custom/load-sources.js';
import { NODEBB } from './nodebb/nodebb-definition.js';
import { PlatformRegistry } from './platform-registry.js';
import { REDDIT } from './reddit/reddit-definition.js';
import { STACKEXCHANGE } from './stackexchange/stackexchange-definition.js';

/** A platform is added here, and its variables in `src/config/platforms`. Feeds are last: other sites link feeds too. */
const BUILT_IN = [
  REDDIT,
  HACKERNEWS,
  DISCOURSE,
  NODEBB,
  FLARUM,
  LEMMY,
  MASTODON,
  BLUESKY,
  STACKEXCHANGE,
  GITHUB,
  MAIL,
  FEED,
];

const own = await loadSources(process.env.SOURCES_DIR, BUILT_IN);

/** Why the sources of `SOURCES_DIR` cannot be used, as a sentence; null when they can. No process starts with it. */
export const SOURCES_FAILURE = own.failure;

/** The platforms of this process: the built-in ones, then those of the operator. */
export const SOURCES = new PlatformRegistry([...BUILT_IN, ...own.definitions]);
