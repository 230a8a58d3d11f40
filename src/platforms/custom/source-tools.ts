import { parseSite, siteId, splitSiteId } from '../../common/site-names.js';
import { plainText } from '../http/plain-text.js';
import { storableText, storableUrl, visibleText } from '../http/response-parsing.js';
import { siteBudget, sitesOf } from '../http/sites.js';
import { unreadable } from '../http/with-retry.js';
import { deletedComment, deletedPost } from '../deleted-content.js';
import { PlatformError, type PlatformPost, UNKNOWN_RATIO } from '../platform.js';

/** A post without a link, files and marks, to which a source adds what its posts have. */
const PLAIN_POST = {
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

/** What a source outside of the project is written with. See docs/sources-writing.md. */
export const SOURCE_TOOLS = {
  /** Clients of the sites of a source: budget, retries, robots.txt and the refusal of private addresses. */
  sitesOf,
  /** The budget of a site, from `SOURCE_REQUESTS_PER_MINUTE`. */
  siteBudget,
  parseSite,
  siteId,
  splitSiteId,
  plainText,
  visibleText,
  storableText,
  storableUrl,
  unreadable,
  PLAIN_POST,
  deletedPost,
  deletedComment,
  PlatformError,
};

/** Parameter of a module's default export when that is a function. */
export type SourceTools = typeof SOURCE_TOOLS;
