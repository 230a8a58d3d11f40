import { chunksOf } from '../../common/collections.js';
import { asNumber, asObject, type WireObject } from '../http/response-parsing.js';
import type { PlatformComment, PlatformPost, PlatformSession } from '../platform.js';
import type { PolledSource } from '../polling/polled-source.js';
import type { HackerNewsApi } from './hackernews-api.js';
import { itemId, itemNumber, mapComment } from './hackernews-items.js';
import type { HackerNewsLookup } from './hackernews-lookup.js';
import { readNew, searchForNew } from './hackernews-new.js';

/** Items are in the index up to this time after they were written. */
const LATE_MS = 600_000;
/** Each has up to 1,000 items: more than a day. */
const MAX_PAGES = 20;
/** Items that are requested concurrently. */
const AT_ONCE = 5;

/** All new stories and comments, by repeated searches. */
export function hackerNewsPolled(
  api: HackerNewsApi,
  lookup: HackerNewsLookup,
  everyMs: number,
): PolledSource {
  return {
    lists: [
      (after, since, session) => {
        const before = asNumber(after);
        return api.search(
          'all new items',
          searchForNew(before, since),
          (json) => readNew(json, before),
          session,
        );
      },
    ],
    everyMs,
    lateMs: LATE_MS,
    maxPages: MAX_PAGES,
    findGone: (ids, session) => lookup.findGoneItems(ids, session),
  };
}

/** Comments by id with their stories; one that is gone, or whose story is, is left out. */
export async function commentsById(
  api: HackerNewsApi,
  ids: readonly string[],
  session: PlatformSession,
): Promise<{ posts: PlatformPost[]; comments: PlatformComment[] }> {
  const items: WireObject[] = [];
  const itemOf = (id: string): Promise<WireObject | null> =>
    api.fetchItem(id, session, (json) => readItem(json, id));
  for (const some of chunksOf(ids, AT_ONCE))
    items.push(...(await Promise.all(some.map(itemOf))).filter((item) => item !== null));
  const storyIds = new Set(items.flatMap((item) => storyOf(item) ?? []));
  const posts = new Map((await api.fetchPosts([...storyIds], session)).map((post) => [post.id, post]));
  const comments = items.flatMap((item) => {
    const post = posts.get(storyOf(item) ?? '');
    if (post === undefined) return [];
    const parentId = itemId(itemNumber(item.parent_id) ?? 0);
    const { author: postAuthor, createdUtc: postCreatedUtc } = post;
    // Depths below the first are not known without the thread.
    const depth = parentId === post.id ? 0 : 1;
    return mapComment(item, { post, postAuthor, postCreatedUtc, parentId, depth }) ?? [];
  });
  const above = new Set(comments.map(({ postId }) => postId));
  return { posts: [...posts.values()].filter(({ id }) => above.has(id)), comments };
}

function storyOf(item: WireObject): string | null {
  const number = itemNumber(item.story_id);
  return number === null ? null : itemId(number);
}

/** Null when the response is another item. */
function readItem(json: unknown, id: string): WireObject | null {
  const item = asObject(json);
  return item !== null && itemId(itemNumber(item.id) ?? 0) === id ? item : null;
}
