import { parseSite, siteId, splitSiteId } from '../../common/site-names.js';
import { plainText } from '../http/plain-text.js';
import { storableText, storableUrl, visibleText } from '../http/response-parsing.js';
import { siteBudget, sitesOf } from '../sites/sites.js';
import { unreadable } from '../http/with-retry.js';
import { deletedComment, deletedPost } from '../deleted-content.js';
import { PLAIN_POST } from '../post-fields.js';
import { PlatformError } from '../platform.js';

/** Tools for a source outside of the project. See docs/sources-writing.md. */
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
