import { MISSING_TREE } from '../comment-slices.js';
import { completeEach } from '../forum/complete-each.js';
import { filledPage } from '../filled-page.js';
import { SessionCache } from '../http/session-cache.js';
import type { SiteClient } from '../sites/site-client.js';
import { splitSiteId } from '../../common/site-names.js';
import { asObject } from '../http/response-parsing.js';
import type { ThreadFeed } from '../thread-feed.js';
import { SitePlatform } from '../sites/site-platform.js';
import { answersAs } from '../sites/site-software.js';
import { requireTarget } from '../sites/site-targets.js';
import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../platform.js';
import { readDiscourseAddress } from './discourse-addresses.js';
import { fetchTopic, fetchTopicPosts, topicOfPost } from './discourse-api.js';
import { fetchCategories, topicsIn } from './discourse-categories.js';
import { discourseFeed, isFeedCheaper, takeTopic } from './discourse-feed.js';
import { DiscourseLookup } from './discourse-lookup.js';
import { listingRequest } from './discourse-listing.js';
import { nameOfDiscourseTarget, readDiscourseTarget } from './discourse-target.js';
import { DiscourseThread } from './discourse-thread.js';
import {
  DISCOURSE_PREFIX,
  type DiscoursePost,
  type DiscourseTopic,
  mapTopic,
  withOpening,
  POSTS_PER_REQUEST,
} from './discourse-wire.js';

/** Servers refuse addresses of 8 KiB. */
const MAX_QUERY_LENGTH = 7_500;
/** Posts that an answer lacks because they are deleted; one that lacks more was cut by the site. */
const MAX_LEFT_OUT = 5;
/** Fewer topics are read one by one, as after most monitor passes. */
const MIN_TOPICS_FOR_FEED = 10;
/** Requests for a topic so long that the site lists no ids; each gives 20 posts. */
const MAX_MEGA_REQUESTS = 2_000;
/** Characters of the topics that a job has listed and whose comments are not read yet. */
const MAX_KEPT_CHARACTERS = 20_000_000;

/** The posts of a topic that have been read, and the ids of the others. */
type TopicPosts = Pick<DiscourseTopic, 'id' | 'posts' | 'rest'>;

/**
 * Discourse forums as they answer visitors: listings without texts, one request for a topic and its first 20 posts, one
 * for each 300 further posts; a whole forum by the feed of its posts where that takes fewer.
 */
export class DiscoursePlatform extends SitePlatform implements Platform {
  readonly source = 'discourse';
  readonly listings = ['activity'] as const;
  /** So that a monitor pass finds new replies to old topics. */
  readonly isByActivity = true;
  readonly lookup = new DiscourseLookup(this.sites);
  /** Topics read for their texts, until their comments are read. */
  private readonly topics = new SessionCache<TopicPosts>(
    ({ posts }) => posts.reduce((sum, { html }) => sum + html.length, 1_000),
    MAX_KEPT_CHARACTERS,
  );

  /** Of sessions that read a whole forum. */
  private readonly feeds = new WeakMap<PlatformSession, ThreadFeed<DiscoursePost>>();

  async fetchListing(
    { target, wanted }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const parsed = requireTarget('discourse', target, readDiscourseTarget(target));
    const client = this.sites.of(parsed.site);
    const page = await filledPage(after, async (from) =>
      client.fetch(await listingRequest(client, parsed, from, session), session),
    );
    const forumOf = await this.forumsOf(client, page.topics, session, page.category);
    if (after === null && page.after !== null && parsed.kind !== 'tag' && parsed.kind !== 'user') {
      const categories = await fetchCategories(client, session);
      const topics = topicsIn(categories, page.category?.id ?? null);
      if (wanted >= topics && isFeedCheaper(topics, categories.posts))
        this.feeds.set(session, discourseFeed(client));
    }
    return {
      posts: page.topics.map((topic) => mapTopic(client, forumOf(topic), topic)),
      after: page.after,
    };
  }

  /** The posts with their texts; those that are no longer there are left out. */
  async complete(posts: readonly PlatformPost[], session: PlatformSession): Promise<PlatformPost[]> {
    const feed = this.feeds.get(session);
    const usesFeed = feed !== undefined && (feed.hasBegun || posts.length >= MIN_TOPICS_FOR_FEED);
    return completeEach(posts, session, (post) => this.completed(post, usesFeed ? feed : null, session));
  }

  /** By the feed if it has as many posts of the topic as the listing counts, else by the topic itself. */
  private async completed(
    post: PlatformPost,
    feed: ThreadFeed<DiscoursePost> | null,
    session: PlatformSession,
  ): Promise<PlatformPost | null> {
    const { site, number } = splitSiteId(DISCOURSE_PREFIX, post.id)!;
    const known = feed === null ? [] : await takeTopic(feed, number, session);
    const [first] = known;
    if (first?.number === 1 && known.length === post.numComments + 1) {
      this.topics.put(session, post.id, { id: Number(number), posts: known, rest: [] });
      return withOpening(this.sites.of(site), post, first);
    }
    const topic = await this.fetchTopic(post.id, session);
    if (topic === null) return null;
    const rest = new Set(topic.rest);
    const posts = [...topic.posts, ...known.filter(({ id }) => rest.delete(id))];
    this.topics.put(session, post.id, { id: topic.id, posts, rest: topic.rest && [...rest] });
    return mapTopic(this.sites.of(site), post.forum, topic);
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const address = readDiscourseAddress(url, this.sites.of(url.host).path);
    if (address === null) return null;
    const client = this.sites.of(address.site);
    const isForum = (json: unknown): boolean => typeof asObject(json)?.title === 'string';
    if (!(await answersAs(client, ['/site/basic-info.json'], isForum, session))) return null;
    if ('target' in address) return address.target;
    if ('refusal' in address) throw address.refusal;
    const number = 'topic' in address ? address.topic : await topicOfPost(client, address.post, session);
    const topic = number === null ? null : await fetchTopic(client, number, session);
    if (topic === null) return { type: 'forum', name: address.site };
    const forumOf = await this.forumsOf(client, [topic], session);
    return { type: 'forum', name: forumOf(topic).replace(/^discourse:/, '') };
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const posts = await Promise.all(
      ids.map(async (id) => {
        const topic = await this.fetchTopic(id, session);
        if (topic === null) return [];
        const client = this.clientOf(id);
        const forumOf = await this.forumsOf(client, [topic], session);
        return [mapTopic(client, forumOf(topic), topic)];
      }),
    );
    return posts.flat();
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const topic = this.topics.take(session, post.id) ?? (await this.fetchTopic(post.id, session));
    if (topic === null) return void (yield MISSING_TREE);
    const client = this.clientOf(post.id);
    const thread = new DiscourseThread(client.site, post, topic);
    yield { comments: thread.add(topic.posts), missing: 0 };
    let missing = 0;
    for await (const { asked, posts } of this.furtherPosts(client, topic, thread, session)) {
      missing += Math.max(0, asked - posts.length);
      yield { comments: thread.add(posts), missing };
    }
  }

  /** The posts after the first ones, and how many were asked for. Sites may give fewer at a time than a request names. */
  private async *furtherPosts(
    client: SiteClient,
    topic: TopicPosts,
    thread: DiscourseThread,
    session: PlatformSession,
  ): AsyncGenerator<{ asked: number; posts: DiscoursePost[] }> {
    for (const ids of batchesOf(topic.rest ?? []))
      for (let open = ids; open.length > 0;) {
        const params = open.map((id): [string, string] => ['post_ids[]', String(id)]);
        const posts = await fetchTopicPosts(client, String(topic.id), params, session);
        const given = new Set(posts.map(({ id }) => id));
        const left = open.filter((id) => !given.has(id));
        const isCut = left.length < open.length && left.length > MAX_LEFT_OUT;
        yield { asked: open.length - (isCut ? left.length : 0), posts };
        open = isCut ? left : [];
      }
    if (topic.rest !== null) return;
    for (let requests = 0; requests < MAX_MEGA_REQUESTS; requests += 1) {
      const after = thread.lastNumber;
      const params: [string, string][] = [
        ['post_number', String(after)],
        ['asc', 'true'],
      ];
      const posts = await fetchTopicPosts(client, String(topic.id), params, session);
      yield { asked: posts.length, posts };
      if (thread.lastNumber === after) return;
    }
  }

  /** A site redirects from a topic that was merged into another one: it is no longer there, its posts are in the other. */
  private async fetchTopic(id: string, session: PlatformSession): Promise<DiscourseTopic | null> {
    const { number } = splitSiteId(DISCOURSE_PREFIX, id)!;
    const topic = await fetchTopic(this.clientOf(id), number, session);
    return topic?.id === Number(number) ? topic : null;
  }

  /** The forum of each topic: its category, as a target names it. `known` is a category whose path is known. */
  private async forumsOf(
    client: SiteClient,
    topics: readonly DiscourseTopic[],
    session: PlatformSession,
    known: { id: number; path: string } | null = null,
  ): Promise<(topic: DiscourseTopic) => string> {
    const { site } = client;
    const isKnown = topics.every(({ categoryId }) => categoryId === null || categoryId === known?.id);
    const paths = isKnown ? new Map<number, string>() : (await fetchCategories(client, session)).paths;
    return ({ categoryId }) => {
      const path = categoryId === known?.id ? known?.path : paths.get(categoryId ?? 0);
      return nameOfDiscourseTarget(
        path === undefined
          ? { site, kind: 'latest' }
          : { site, kind: 'category', slugs: path.split('/'), id: null },
      );
    };
  }

  private clientOf(id: string): SiteClient {
    return this.sites.of(splitSiteId(DISCOURSE_PREFIX, id)!.site);
  }
}

/** Batches of ids that fit into one address. */
function* batchesOf(ids: readonly number[]): Generator<number[]> {
  let batch: number[] = [];
  let length = 0;
  for (const id of ids) {
    const needed = `&post_ids%5B%5D=${id}`.length;
    if (batch.length === POSTS_PER_REQUEST || length + needed > MAX_QUERY_LENGTH) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(id);
    length += needed;
  }
  if (batch.length > 0) yield batch;
}
