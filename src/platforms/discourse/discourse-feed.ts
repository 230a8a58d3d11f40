import { asArray, asId, asObject } from '../http/response-parsing.js';
import type { SiteClient } from '../sites/site-client.js';
import { PlatformError, type PlatformSession } from '../platform.js';
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
 * The newest posts of a whole forum, 50 for a request, read as far back as topics need them. Hidden posts, unlisted topics
 * and notes on changes of a topic are not in it. A short page is the end: older versions count ids instead of posts.
 */
export class DiscourseFeed {
  private readonly topics = new Map<number, DiscoursePost[]>();
  private last: number | null = null;
  private isEnded = false;
  private reading: Promise<void> | null = null;

  constructor(private readonly client: SiteClient) {}

  /** Whether a page has been requested. */
  get hasBegun(): boolean {
    return this.last !== null || this.reading !== null;
  }

  /** The posts of a topic down to its first one, in the order of their numbers; each topic is given once. */
  async take(topic: number, session: PlatformSession): Promise<DiscoursePost[]> {
    while (!this.isEnded && !this.topics.get(topic)?.some(({ number }) => number === 1)) {
      this.reading ??= this.readPage(session).finally(() => (this.reading = null));
      await this.reading;
    }
    const posts = this.topics.get(topic) ?? [];
    this.topics.delete(topic);
    return posts.sort((a, b) => a.number - b.number);
  }

  /** A feed that cannot be read has ended: its topics can still be read one by one. */
  private async readPage(session: PlatformSession): Promise<void> {
    try {
      const page = await this.client.read<readonly unknown[]>(
        {
          what: 'the latest posts',
          path: '/posts.json',
          // Posts up to this id, inclusive.
          params: this.last === null ? {} : { before: String(this.last - 1) },
          read: (json) => {
            const posts = asObject(json)?.latest_posts;
            return Array.isArray(posts) ? asArray(posts) : null;
          },
        },
        session,
      );
      for (const value of page) this.add(value);
      this.isEnded = page.length < PAGE_SIZE || this.last === null || this.last <= 1;
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.isEnded = true;
    }
  }

  private add(value: unknown): void {
    const post = readPost(value);
    const topic = asId(asObject(value)?.topic_id);
    if (post === null || topic === null) return;
    this.last = Math.min(this.last ?? post.id, post.id);
    const posts = this.topics.get(topic);
    if (posts) posts.push(post);
    else this.topics.set(topic, [post]);
  }
}
