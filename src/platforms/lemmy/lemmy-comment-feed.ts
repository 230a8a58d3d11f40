import { asId, asObject } from '../http/response-parsing.js';
import type { PlatformPost } from '../platform.js';
import { type FeedPage, ThreadFeed } from '../thread-feed.js';
import type { Dialect } from './dialect.js';
import { PAGE_SIZE } from './lemmy-api.js';
import type { LemmyTarget } from './lemmy-target.js';
import { isShown, type LemmyComment, missingOf, readComments } from './lemmy-wire.js';

/** The list of comments is read when it takes at most this part of the requests for the threads. */
const CHEAPER = 0.5;
/** How far the list may exceed the estimate of its pages, because posts beyond those wanted have comments too. */
const MARGIN = 1.5;

/**
 * The comments on a target's posts from the list of all of them, newest first; null where its threads take about as few
 * requests one by one, as far as the first page of posts shows. `wanted` is the number of posts of which comments are read.
 */
export function commentFeed(
  api: Dialect,
  target: LemmyTarget,
  posts: readonly PlatformPost[],
  wanted: number,
): ThreadFeed<LemmyComment> | null {
  const counts = posts.map(({ numComments }) => numComments).filter((count) => count > 0);
  const pages = Math.ceil(counts.reduce((sum, count) => sum + count, 0) / PAGE_SIZE);
  if (!api.listsComments(target) || pages === 0 || pages > CHEAPER * counts.length) return null;
  const seen = new Set<number>();
  let left = 1 + Math.ceil((MARGIN * pages * wanted) / posts.length);
  let after: string | null = null;
  return new ThreadFeed(async (session): Promise<FeedPage<LemmyComment>> => {
    const page = await api.listNewComments(target, after, session);
    after = page.after;
    left -= 1;
    // Comments that are written meanwhile shift numbered pages.
    const fresh = readComments(page.views).filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    return {
      items: fresh.map((comment) => [String(asId(asObject(comment.view.post)?.id)), comment]),
      isLast: after === null || left <= 0,
    };
  });
}

/** Whether comments of a thread are all that its post counts, and all that they count themselves. */
export function isWholeThread(comments: readonly LemmyComment[], count = Infinity): boolean {
  return comments.filter(isShown).length >= count && missingOf(comments) === 0;
}
