import { siteId, splitSiteId } from '../../common/site-names.js';
import { MISSING_TREE } from '../comment-slices.js';
import { deletedPost, goneInThread } from '../deleted-content.js';
import { plainText } from '../http/plain-text.js';
import { MAX_BODY_LENGTH } from '../http/response-parsing.js';
import { fileFields, filesAt } from '../post-fields.js';
import {
  type CommentSlice,
  type ContentLookup,
  DELETED,
  type GoneComment,
  type GonePost,
  type GoneReason,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
} from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';
import { eachSite } from '../sites/site-lookup.js';
import { SitePlatform } from '../sites/site-platform.js';
import { FlatThread } from './flat-thread.js';
import { imagesIn } from './images.js';

/** A post of a topic as a forum shows it. */
export interface ForumPost {
  /** Its number within its id. */
  key: string;
  /** The key of the post that this one replies to; null for a reply to the topic. */
  replyTo: string | null;
  /** Whether it begins the topic. */
  isOpening: boolean;
  /** Why a sentence stands in place of its text; null for a text that is shown. */
  gone: GoneReason | null;
  author: string;
  /** The account; null for a guest and one that is gone. */
  userId: string | null;
  html: string;
  score: number;
  createdUtc: Date;
}

/** Some posts of a topic in their order. */
export interface ForumPage {
  posts: ForumPost[];
  /** Posts that cannot be read. */
  unreadable: number;
}

/** A topic as a post, and the post that begins it; null where the forum does not show that one. */
export interface ForumTopic {
  post: PlatformPost;
  opening: ForumPost | null;
}

/** The part that platforms of forums have in common: topics by latest activity, with their posts as comments. */
export abstract class TopicForum extends SitePlatform implements Platform {
  readonly listings = ['activity'] as const;
  /** So that a monitor pass finds new replies to old topics. */
  readonly isByActivity = true;
  readonly lookup: ContentLookup;
  abstract readonly source: string;

  constructor(
    sites: ConstructorParameters<typeof SitePlatform>[0],
    private readonly prefix: string,
  ) {
    super(sites);
    this.lookup = {
      prefixes: { post: prefix, comment: prefix },
      commentsBy: 'thread',
      findGonePosts: (ids, session) => this.findGonePosts(ids, session),
      findGoneComments: (ids, postId, session) => this.findGoneComments(ids, postId, session),
    };
  }

  abstract fetchListing(
    listing: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage>;
  /** A topic; `hidden` when visitors may not see it, null when there is none, or no longer. */
  protected abstract readTopic(
    client: SiteClient,
    number: string,
    session: PlatformSession,
  ): Promise<ForumTopic | 'hidden' | null>;
  /** All posts of a topic; null in place of the first page when there is no such topic. */
  protected abstract readPosts(
    client: SiteClient,
    number: string,
    session: PlatformSession,
  ): AsyncGenerator<ForumPage | null>;
  /** A post of any topic; null when it is not there. */
  protected abstract readPost(
    client: SiteClient,
    key: string,
    session: PlatformSession,
  ): Promise<ForumPost | null>;
  /** Whether the site answers visitors at all. */
  protected abstract isOpen(client: SiteClient, session: PlatformSession): Promise<boolean>;

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const { site, number } = splitSiteId(this.prefix, post.id)!;
    const thread = new FlatThread(post);
    let asker: string | null = null;
    let missing = 0;
    for await (const page of this.readPosts(this.sites.of(site), number, session)) {
      if (page === null) return void (yield MISSING_TREE);
      asker ??= page.posts.find(({ isOpening }) => isOpening)?.userId ?? null;
      missing += page.unreadable;
      const posts = page.posts.map(({ key, gone, userId, html, ...fields }) => ({
        ...fields,
        id: siteId(this.prefix, site, key),
        place: key,
        isLeftOut: gone !== null,
        body: plainText(html, MAX_BODY_LENGTH),
        isSubmitter: userId !== null && userId === asker,
      }));
      yield { comments: thread.add(posts), missing };
    }
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const topics = await Promise.all(
      ids.map((id) => {
        const { site, number } = splitSiteId(this.prefix, id)!;
        return this.readTopic(this.sites.of(site), number, session);
      }),
    );
    return topics.flatMap((topic) => (topic === null || topic === 'hidden' ? [] : topic.post));
  }

  /** What is missing is gone only while the site answers visitors. */
  private findGonePosts(ids: readonly string[], session: PlatformSession): Promise<GonePost[]> {
    return eachSite(this.prefix, ids, async (site, numbers) => {
      const client = this.sites.of(site);
      const gone: GonePost[] = [];
      for (const number of numbers) {
        const topic = await this.readTopic(client, number, session);
        if (topic === 'hidden') continue;
        const reason = topic === null ? 'deleted' : (topic.opening?.gone ?? null);
        if (topic === null && !(await this.isOpen(client, session))) break;
        if (reason !== null) gone.push(deletedPost(siteId(this.prefix, site, number), reason));
      }
      return gone;
    });
  }

  /** Posts can move to another topic, where they keep their numbers. */
  private findGoneComments(
    ids: readonly string[],
    postId: string,
    session: PlatformSession,
  ): Promise<GoneComment[]> {
    return eachSite(this.prefix, ids, async (site, numbers) => {
      const client = this.sites.of(site);
      const found = new Map<string, ForumPost>();
      const { number } = splitSiteId(this.prefix, postId)!;
      for await (const page of this.readPosts(client, number, session))
        for (const post of page?.posts ?? []) found.set(post.key, post);
      if (!numbers.every((key) => found.has(key)) && !(await this.isOpen(client, session))) return [];
      return goneInThread(
        numbers,
        found,
        (key) => this.readPost(client, key, session),
        (post) => (post === null ? 'deleted' : post.gone),
        (key) => siteId(this.prefix, site, key),
      );
    });
  }
}

/** A topic with the text, the author and the pictures of the post that begins it. */
export function openedBy(
  post: PlatformPost,
  opening: ForumPost | null,
  { baseUrl }: Pick<SiteClient, 'baseUrl'>,
): ForumTopic {
  if (opening === null) return { post, opening };
  const { author, gone, html } = opening;
  const images = gone === null ? imagesIn(html, `${baseUrl}/`) : [];
  const selftext = gone === null ? plainText(html, MAX_BODY_LENGTH) : DELETED;
  return { post: { ...post, author, selftext, ...fileFields(filesAt('image', images)) }, opening };
}
