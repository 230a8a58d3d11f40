import { asId, asObject } from '../http/response-parsing.js';
import type { SiteClient } from '../sites/site-client.js';
import type { PlatformSession } from '../platform.js';
import { ThreadFeed } from '../thread-feed.js';
import { type DiscoursePost, readPost } from './discourse-wire.js';

/** Posts per page. */
const PAGE_SIZE = 50;
/** A forum with more posts is read topic by topic, because a job keeps the posts of the feed. */
const MAX_POSTS = 10_000;

/** Whether all of a number of topics take fewer requests by the feed of a forum with `posts` posts than one by one. */
export function isFeedCheaper(topics: number, posts: number): boolean {
  return posts > 0 && posts <= MAX_POSTS && posts / PAGE_SIZE < topics;
}

/**
 * The newest posts of a whole forum, 50 for a request, by topic. Hidden posts, unlisted topics and notes on changes of a
 * topic are not in it. A short page is the end: older versions count ids instead of posts.
 */
export function discourseFeed(client: SiteClient): ThreadFeed<DiscoursePost> {
  let last = Infinity;
  return new ThreadFeed(async (session) => {
    const page = await client.read<readonly unknown[]>(
      {
        what: 'the latest posts',
        path: '/posts.json',
        // Posts up to this id, inclusive.
        params: last === Infinity ? {} : { before: String(last - 1) },
        read: (json) => {
          const posts = asObject(json)?.latest_posts;
          return Array.isArray(posts) ? posts : null;
        },
      },
      session,
    );
    const items = page.flatMap((value): [string, DiscoursePost][] => {
      const [post, topic] = [readPost(value), asId(asObject(value)?.topic_id)];
      return post === null || topic === null ? [] : [[String(topic), post]];
    });
    last = Math.min(last, ...items.map(([, { id }]) => id));
    return { items, isLast: page.length < PAGE_SIZE || last === Infinity || last <= 1 };
  });
}

/** The posts of a topic in a feed down to its first one, in the order of their numbers. */
export async function takeTopic(
  feed: ThreadFeed<DiscoursePost>,
  topic: string,
  session: PlatformSession,
): Promise<DiscoursePost[]> {
  const posts = await feed.take(topic, (known) => known.some(({ number }) => number === 1), session);
  return posts.sort((a, b) => a.number - b.number);
}
