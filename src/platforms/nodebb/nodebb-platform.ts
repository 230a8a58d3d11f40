import { filledPage } from '../filled-page.js';
import { completeEach } from '../forum/complete-each.js';
import {
  type ForumPage,
  type ForumPost,
  type ForumTopic,
  openedBy,
  TopicForum,
} from '../forum/topic-forum.js';
import { asArray, asCount, asObject, type WireObject } from '../http/response-parsing.js';
import { readAs } from '../http/with-retry.js';
import { SessionCache } from '../http/session-cache.js';
import { splitSiteId } from '../../common/site-names.js';
import {
  type ListingPage,
  type ListingRef,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
} from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';
import { answersAs } from '../sites/site-software.js';
import type { Sites } from '../sites/sites.js';
import { requireTarget } from '../sites/site-targets.js';
import { tellUnread } from '../unread-posts.js';
import { nameOfNodebb, readNodebbAddress, readNodebbTarget } from './nodebb-target.js';
import { isDeleted, keyOf, NODEBB_PREFIX, pagesIn, readNodebbPost, readNodebbTopic } from './nodebb-wire.js';

/** Topics that the list of a whole site ends with, unless the site sets another number. */
const RECENT_TOPICS = 200;
/** Characters of the pages that a job has read and whose comments are not read yet. */
const MAX_KEPT_CHARACTERS = 20_000_000;

/** NodeBB forums as they answer visitors: listings without texts, one request for a topic and each page of its posts. */
export class NodebbPlatform extends TopicForum {
  readonly source = 'nodebb';
  /** First pages of topics read for their texts. */
  private readonly pages = new SessionCache<WireObject>(
    (page) => JSON.stringify(page).length,
    MAX_KEPT_CHARACTERS,
  );

  constructor(sites: Sites) {
    super(sites, NODEBB_PREFIX);
  }

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = requireTarget('nodebb', target, readNodebbTarget(target));
    const client = this.sites.of(read.site);
    const page = await filledPage(after, (from) =>
      this.readListing(client, read.category, from ?? '1', session),
    );
    const posts = page.topics.flatMap((topic) => readNodebbTopic(client, topic) ?? []);
    tellUnread(session, page.topics.length - posts.length);
    const { after: next, isCut } = page;
    return { posts, after: next, ...(isCut && { isCut }) };
  }

  private readListing(client: SiteClient, category: string | null, page: string, session: PlatformSession) {
    const what = `the forum "nodebb:${nameOfNodebb({ site: client.site, category })}"`;
    const path = category === null ? '/api/recent' : `/api/category/${category}`;
    return client.read(
      {
        what,
        path,
        params: { page },
        read: (json) => {
          const body = asObject(json);
          if (body === null || !Array.isArray(body.topics)) return null;
          const isLast = Number(page) >= pagesIn(body);
          const isCut = isLast && category === null && asCount(body.topicCount) >= RECENT_TOPICS;
          const topics = asArray(body.topics).filter((topic) => !isDeleted(asObject(topic) ?? {}));
          return { topics, received: topics.length, after: isLast ? null : String(Number(page) + 1), isCut };
        },
      },
      session,
    );
  }

  /** The posts with their texts; those that are no longer there are left out. */
  complete(posts: readonly PlatformPost[], session: PlatformSession): Promise<PlatformPost[]> {
    return completeEach(posts, session, async ({ id }) => {
      const { site, number } = splitSiteId(NODEBB_PREFIX, id)!;
      const page = await this.readPage(this.sites.of(site), number, 1, session);
      if (page === null || page === 'hidden') return null;
      this.pages.put(session, id, page);
      return topicOf(this.sites.of(site), page)?.post ?? null;
    });
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const address = readNodebbAddress(url, this.sites.of(url.host).path);
    if (address === null) return null;
    const client = this.sites.of(address.site);
    const isForum = (json: unknown): boolean => asObject(json)?.relative_path !== undefined;
    if (!(await answersAs(client, ['/api/config'], isForum, session))) return null;
    if ('category' in address) return { type: 'forum', name: nameOfNodebb(address) };
    const topic = await this.readTopic(client, address.topic, session);
    if (topic === null || topic === 'hidden')
      throw new PlatformError(
        'target_not_found',
        `There is no such topic on ${client.site}, or not for visitors`,
      );
    return { type: 'forum', name: topic.post.forum.replace(/^nodebb:/, '') };
  }

  protected async readTopic(
    client: SiteClient,
    number: string,
    session: PlatformSession,
  ): Promise<ForumTopic | 'hidden' | null> {
    const page = await this.readPage(client, number, 1, session);
    return page === null || page === 'hidden' ? page : topicOf(client, page);
  }

  protected async *readPosts(
    client: SiteClient,
    number: string,
    session: PlatformSession,
  ): AsyncGenerator<ForumPage | null> {
    const id = `${NODEBB_PREFIX}${client.site}_${number}`;
    const first = this.pages.take(session, id) ?? (await this.readPage(client, number, 1, session));
    if (first === null || first === 'hidden') return void (yield null);
    yield postsOf(first);
    for (let page = 2; page <= pagesIn(first); page += 1) {
      const next = await this.readPage(client, number, page, session);
      // It was taken down in between.
      if (next === null || next === 'hidden') return void (yield { posts: [], unreadable: 1 });
      yield postsOf(next);
    }
  }

  protected async readPost(
    client: SiteClient,
    key: string,
    session: PlatformSession,
  ): Promise<ForumPost | null> {
    const found = await this.read(client, `the post ${key}`, `/api/v3/posts/${key}`, {}, session);
    if (found === 'hidden')
      throw new PlatformError('target_forbidden', `${client.site} hides the post ${key}`);
    return found && readNodebbPost(found.response, null);
  }

  protected async isOpen(client: SiteClient, session: PlatformSession): Promise<boolean> {
    const list = await this.read(client, 'the site', '/api/recent', {}, session);
    return list !== null && list !== 'hidden';
  }

  /** A page of a topic's posts. */
  private readPage(client: SiteClient, number: string, page: number, session: PlatformSession) {
    const params = { sort: 'oldest_to_newest', page: String(page) };
    return this.read(client, `the topic ${number}`, `/api/topic/${number}`, params, session);
  }

  /** `hidden` for what is not for visitors, null for what is not there. */
  private read(
    client: SiteClient,
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
  ): Promise<WireObject | 'hidden' | null> {
    return client.fetch<WireObject | 'hidden' | null>(
      {
        what,
        path,
        params,
        isUrgent: true,
        // An address stands for a topic that has moved.
        read: (json) => (typeof json === 'string' ? { done: true, value: null } : readAs(asObject(json))),
        refused: (status, body) => {
          if (status === 404 || status === 410) return { done: true, value: null };
          // A refusal that is not JSON is one of the program.
          return body !== null && (status === 401 || status === 403) ? { done: true, value: 'hidden' } : null;
        },
      },
      session,
    );
  }
}

function topicOf(client: SiteClient, page: WireObject): ForumTopic | null {
  const topic = readNodebbTopic(client, { user: asObject(asArray(page.posts)[0])?.user, ...page });
  const opening = postsOf(page).posts.find(({ isOpening }) => isOpening) ?? null;
  return topic && openedBy(topic, opening, client);
}

function postsOf(page: WireObject): ForumPage {
  const wire = asArray(page.posts);
  const posts = wire.flatMap((post) => readNodebbPost(post, keyOf(page.mainPid)) ?? []);
  return { posts, unreadable: wire.length - posts.length };
}
