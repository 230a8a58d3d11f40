import { address } from '../../common/variable-types.js';

/** The variables of Bluesky. */
export const BLUESKY_VARIABLES = {
  BLUESKY_APPVIEW_URL: address('http:', 'https:')
    .default('https://public.api.bsky.app')
    .describe('the AppView of Bluesky, for targets that begin with `bsky:`'),
  JETSTREAM_URL: address('ws:', 'wss:', 'http:', 'https:')
    .default('wss://jetstream2.us-east.bsky.network/subscribe')
    .describe(
      'the stream of all posts of Bluesky, which is read while jobs name tags (`bsky:#TOPIC`) or an alert listens to `bluesky`',
    ),
};
