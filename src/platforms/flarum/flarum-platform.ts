import { filledPage } from '../filled-page.js';
import { type ForumPage, type ForumPost, type ForumTopic, TopicForum } from '../forum/topic-forum.js';
import { asObject } from '../http/response-parsing.js';
import { type Attempt, readAs } from '../http/with-retry.js';
import {
  type ListingPage,
  type ListingRef,
  PlatformError,
  type PlatformSession,
  type Target,
} from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';
import { answersAs } from '../sites/site-software.js';
import { requireTarget } from '../sites/site-targets.js';
import type { Sites } from '../sites/sites.js';
import { tellUnread } from '../unread-posts.js';
import { nameOfFlarum, readFlarumAddress, readFlarumTarget } from './flarum-target.js';
import { FLARUM_PREFIX, FlarumDocument, isComment } from './flarum-wire.js';

/** The most that a list gives at a time. */
const PAGE_SIZE = 50;
/** More pages than a discussion has. */
const MAX_PAGES = 2_000;
const PARTS = 'user,firstPost';

/** Flarum forums as they answer visitors: listings with texts, one request for each 50 posts of a discussion. */
export class FlarumPlatform extends TopicForum {
  readonly source = 'flarum';
  /** Sites without the extension for tags, which refuse to include them. */
  private readonly withoutTags = new WeakSet<SiteClient>();

  constructor(sites: Sites) {
    super(sites, FLARUM_PREFIX);
  }

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = requireTarget('flarum', target, readFlarumTarget(target));
    const client = this.sites.of(read.site);
    const what = `the forum "flarum:${nameOfFlarum(read)}"`;
    const { document, after: next } = await filledPage(after, async (from) => {
      const page = await this.read(client, what, '/api/discussions', Number(from ?? 0), session, {
        sort: '-lastPostedAt',
        ...(read.tag !== null && { 'filter[tag]': read.tag }),
      });
      return {
        document: page,
        received: page.data.length,
        after: page.next === null ? null : String(page.next),
      };
    });
    if (document.data.length === 0 && after === null && read.tag !== null)
      await this.requireTag(client, read.tag, session);
    const shown = document.data.filter((value) => asObject(asObject(value)?.attributes)?.isHidden !== true);
    const posts = shown.flatMap((value) => document.readDiscussion(client, value)?.post ?? []);
    tellUnread(session, shown.length - posts.length);
    return { posts, after: next };
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const target = readFlarumAddress(url, this.sites.of(url.host).path);
    if (target === null) return null;
    const isForum = (json: unknown): boolean => asObject(asObject(json)?.data)?.type === 'forums';
    const client = this.sites.of(readFlarumTarget(target)!.site);
    return (await answersAs(client, ['/api'], isForum, session)) ? target : null;
  }

  protected async readTopic(
    client: SiteClient,
    number: string,
    session: PlatformSession,
  ): Promise<ForumTopic | 'hidden' | null> {
    const path = `/api/discussions/${number}`;
    const document = await this.readOne(client, `the discussion ${number}`, path, session);
    if (document === null || document === 'hidden') return document;
    const [discussion] = document.data;
    const topic = document.readDiscussion(client, discussion);
    const isHidden = asObject(asObject(discussion)?.attributes)?.isHidden === true;
    return topic?.opening && isHidden ? { ...topic, opening: { ...topic.opening, gone: 'removed' } } : topic;
  }

  protected async *readPosts(
    client: SiteClient,
    number: string,
    session: PlatformSession,
  ): AsyncGenerator<ForumPage | null> {
    let offset: number | null = 0;
    for (let pages = 0; offset !== null && pages < MAX_PAGES; pages += 1) {
      const what = `the posts of the discussion ${number}`;
      const params = { 'filter[discussion]': number, sort: 'number', include: 'user' };
      const from: number = offset;
      const document: FlarumDocument | null = await this.request(
        client,
        what,
        '/api/posts',
        from,
        params,
        session,
      );
      if (document === null) return void (yield null);
      const texts = document.data.filter(isComment);
      const posts = texts.flatMap((value) => document.readPost(value) ?? []);
      yield { posts, unreadable: texts.length - posts.length };
      offset = document.next;
    }
  }

  protected async readPost(
    client: SiteClient,
    key: string,
    session: PlatformSession,
  ): Promise<ForumPost | null> {
    const document = await this.readOne(client, `the post ${key}`, `/api/posts/${key}`, session, 'user');
    if (document === 'hidden')
      throw new PlatformError('target_forbidden', `${client.site} hides the post ${key}`);
    return document && document.readPost(document.data[0]);
  }

  protected isOpen(client: SiteClient, session: PlatformSession): Promise<boolean> {
    return client.fetch<boolean>(
      {
        what: 'the site',
        path: '/api/discussions',
        params: { 'page[limit]': '1' },
        read: (json) => readAs(FlarumDocument.of(json) && true),
        refused: () => ({ done: true, value: false }),
      },
      session,
    );
  }

  /** A list with the parts of discussions. Without the extension for tags, a site refuses to include them. */
  private async read(
    client: SiteClient,
    what: string,
    path: string,
    offset: number,
    session: PlatformSession,
    params: Record<string, string>,
  ): Promise<FlarumDocument> {
    const found = await this.including(client, (include) =>
      this.request(client, what, path, offset, { ...params, include }, session),
    );
    if (found === null)
      throw new PlatformError('target_not_found', `${client.site} has nothing there: ${what}`);
    return found;
  }

  /** `hidden` for what is not for visitors, null for what is not there. */
  private readOne(
    client: SiteClient,
    what: string,
    path: string,
    session: PlatformSession,
    include?: string,
  ): Promise<FlarumDocument | 'hidden' | null> {
    const ask = (parts: string) =>
      client.fetch<FlarumDocument | 'hidden' | 'refused' | null>(
        {
          what,
          path,
          params: { include: parts },
          isUrgent: true,
          read: (json) => readAs(FlarumDocument.of(json)),
          refused: (status, body) =>
            body !== null && (status === 401 || status === 403)
              ? { done: true, value: 'hidden' }
              : expected(status, parts),
        },
        session,
      );
    return include === undefined
      ? this.including(client, ask)
      : (ask(include) as Promise<FlarumDocument | 'hidden' | null>);
  }

  private async including<T>(
    client: SiteClient,
    ask: (include: string) => Promise<T | 'refused'>,
  ): Promise<T> {
    const all = this.withoutTags.has(client) ? PARTS : `${PARTS},tags`;
    const found = await ask(all);
    if (found !== 'refused') return found;
    this.withoutTags.add(client);
    return (await ask(PARTS)) as T;
  }

  private request(
    client: SiteClient,
    what: string,
    path: string,
    offset: number,
    params: Record<string, string>,
    session: PlatformSession,
  ): Promise<FlarumDocument | null> {
    return client.fetch<FlarumDocument | null>(
      {
        what,
        path,
        params: { ...params, 'page[limit]': String(PAGE_SIZE), 'page[offset]': String(offset) },
        isUrgent: true,
        read: (json) => readAs(FlarumDocument.of(json, offset)),
        refused: (status) => expected(status, params.include ?? '') as Attempt<FlarumDocument | null> | null,
      },
      session,
    );
  }

  /** A site answers for a tag that it does not know with an empty list. */
  private async requireTag(client: SiteClient, tag: string, session: PlatformSession): Promise<void> {
    const path = `/api/tags/${encodeURIComponent(tag)}`;
    await client.read<true>({ what: `the tag "${tag}"`, path, read: () => true }, session);
  }
}

/** 404 for what is not there, 400 where tags cannot be included. */
function expected(status: number, include: string): Attempt<'refused' | null> | null {
  if (status === 404 || status === 410) return { done: true, value: null };
  return status === 400 && include.includes('tags') ? { done: true, value: 'refused' } : null;
}
