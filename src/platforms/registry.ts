import { BLUESKY } from './bluesky/bluesky-definition.js';
import { DISCOURSE } from './discourse/discourse-definition.js';
import { HACKERNEWS } from './hackernews/hackernews-definition.js';
import { LEMMY } from './lemmy/lemmy-definition.js';
import { MASTODON } from './mastodon/mastodon-definition.js';
import { PlatformRegistry } from './platform-registry.js';
import { REDDIT } from './reddit/reddit-definition.js';
import { STACKEXCHANGE } from './stackexchange/stackexchange-definition.js';

/** The platforms of this process. A platform is added here, and its variables in `platform-variables.ts`. */
export const SOURCES = new PlatformRegistry([
  REDDIT,
  HACKERNEWS,
  DISCOURSE,
  LEMMY,
  MASTODON,
  BLUESKY,
  STACKEXCHANGE,
]);
