import { type PlatformPost, UNKNOWN_RATIO } from './platform.js';

/** A post without a link, files and marks, to which a source adds what its posts have. */
export const PLAIN_POST = {
  url: null,
  upvoteRatio: UNKNOWN_RATIO,
  selftext: '',
  postType: 'self',
  isNsfw: false,
  isSpoiler: false,
  flair: '',
  totalAwards: 0,
  hasMedia: false,
  mediaUrls: [],
  media: [],
} as const satisfies Partial<PlatformPost>;
