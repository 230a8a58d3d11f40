import { LRUCache } from 'lru-cache';
import { splitSiteId } from '../../common/site-names.js';
import { percentDecoded, withoutEnding } from '../../common/strings.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../platform.js';
import { SitePlatform } from '../sites/site-platform.js';
import type { Sites } from '../sites/sites.js';
import { requireTarget } from '../sites/site-targets.js';
import { MailFiles } from './mail-files.js';
import { charactersOf, type MailMessage } from './mail-message.js';
import { hyperkittyPath, inboxPath, placeOf, volumePath } from './mail-places.js';
import { commentsOf, MAIL_PREFIX, mailId, type MailPlace, postOf } from './mail-posts.js';
import { archiveAddress, readMailAddress } from './mail-target.js';
import { type MailThread, messagesOf, threadsOf } from './mail-threads.js';
import { type ArchiveFront, linkedArchives, readFront } from './mail-volumes.js';
import { PublicInbox } from './public-inbox.js';
import { VolumeArchive } from './volume-archive.js';

/** Characters of the threads whose comments are not read yet, and of the posts that are found again by their ids. */
const MAX_KNOWN_CHARACTERS = 64 * 1_024 * 1_024;
/** For how long the volumes of an archive are known to later pages of a listing, and to its threads. */
const FRONT_MS = 3_600_000;
const MAX_FRONTS = 500;

/** A thread that was listed, and its post. */
interface ListedThread {
  post: PlatformPost;
  thread: MailThread<MailMessage>;
}

/** Archives of mailing lists on any site: public-inbox, Pipermail and HyperKitty. Threads are posts, replies comments. */
export class MailPlatform extends SitePlatform implements Platform {
  readonly source = 'mail';
  readonly listings = ['activity'] as const;
  readonly isByActivity = true;
  /** Archives do not tell what they have taken out. */
  readonly lookup = null;
  private readonly files: MailFiles;
  private readonly inbox: PublicInbox;
  private readonly fronts = new LRUCache<string, ArchiveFront>({ max: MAX_FRONTS, ttl: FRONT_MS });
  private readonly known = new LRUCache<string, ListedThread>({
    maxSize: MAX_KNOWN_CHARACTERS,
    sizeCalculation: ({ thread }) => charactersOf(messagesOf(thread)),
  });

  constructor(sites: Sites) {
    super(sites);
    this.files = new MailFiles(sites);
    this.inbox = new PublicInbox(this.files);
  }

  async fetchListing(
    { target, wanted, since }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const address = requireTarget('mail', target, readMailAddress(target.name));
    const front = await this.front(address, after === null, session);
    if (front.kind === 'public-inbox') {
      const { threads, next, isCut } = await this.inbox.page({ address, after, wanted, since }, session);
      const posts = threads.map((thread) => this.listed(thread, placeOf(address, inboxPath(address))));
      return { posts, after: next, ...(isCut && { isCut }) };
    }
    const archive = new VolumeArchive(front.volumes, this.files, session);
    const { threads, next } = await archive.page(after, since);
    const pathOf = front.kind === 'pipermail' ? volumePath : () => hyperkittyPath(address);
    const posts = threads.map(({ thread, volume }) =>
      this.listed(thread, placeOf(address, pathOf(address, volume))),
    );
    return { posts, after: next };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const address = readMailAddress(post.forum.replace(/^mail:/, ''));
    const { site = '' } = splitSiteId(MAIL_PREFIX, post.id) ?? {};
    const listed = this.known.get(post.id);
    const isKnown = listed?.post.forum === post.forum;
    const thread = isKnown ? listed.thread : address && (await this.threadOf(post, address, session));
    if (thread === null) return void (yield MISSING_TREE);
    yield* slicesOf(commentsOf(post, thread, site));
  }

  /** Archives cannot be asked for a message by a hash: those that this process has read are known. */
  fetchPosts(ids: readonly string[]): Promise<PlatformPost[]> {
    return Promise.resolve(ids.flatMap((id) => this.known.get(id)?.post ?? []));
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const address = archiveAddress(url);
    const front = await this.recognised(address, session);
    const found = front === null ? null : 'linked' in front ? front.linked : address;
    return found && { type: 'forum', name: found.href };
  }

  /** What an address shows: an archive, or a page that links the only one of its list; null for another page. */
  private async recognised(
    address: URL,
    session: PlatformSession,
  ): Promise<ArchiveFront | { linked: URL } | null> {
    const page = await this.files.page(address, 'text/html', session).catch((error: unknown) => {
      if (error instanceof PlatformError && error.code !== 'unavailable') return null;
      throw error;
    });
    if (page === null) return null;
    const front = readFront(address, page.text);
    if (front !== null) return front;
    const [linked, ...others] = linkedArchives(page.address, page.text);
    const isOne = linked !== undefined && others.length === 0;
    const archive = isOne ? readMailAddress(linked) : null;
    return archive && { linked: archive };
  }

  /** The front page of an archive, asked for when a listing begins. Throws {@link PlatformError} for no archive. */
  private async front(address: URL, isBegin: boolean, session: PlatformSession): Promise<ArchiveFront> {
    const known = this.fronts.get(address.href);
    // An archive stays what it is; only its volumes become more.
    if (known !== undefined && (!isBegin || known.kind === 'public-inbox')) return known;
    const { text } = await this.files.page(address, 'text/html', session);
    const front = readFront(address, text);
    if (front === null)
      throw new PlatformError(
        'target_not_found',
        `The page ${address.href} is no archive of public-inbox, Pipermail or HyperKitty`,
      );
    this.fronts.set(address.href, front);
    return front;
  }

  private listed(thread: MailThread<MailMessage>, place: MailPlace): PlatformPost {
    const post = postOf(thread.root, thread.replies.length, place);
    this.known.set(post.id, { post, thread });
    return post;
  }

  /** The thread of a post that this process has not listed; null when the archive has it no longer. */
  private async threadOf(
    { id, permalink }: TreePost,
    address: URL,
    session: PlatformSession,
  ): Promise<MailThread<MailMessage> | null> {
    const front = await this.front(address, false, session);
    const { site } = splitSiteId(MAIL_PREFIX, id)!;
    const isRoot = (root: MailMessage): boolean => mailId(site, root.id) === id;
    const below = percentDecoded(withoutEnding(permalink.slice(address.pathname.length), '/'));
    if (front.kind === 'pipermail') {
      const archive = new VolumeArchive(front.volumes, this.files, session);
      return archive.find(below.replace(/\/.*$/, ''), isRoot);
    }
    const threads =
      front.kind === 'public-inbox'
        ? await this.inbox.threadOf(address, below, session)
        : threadsOf((await this.files.mbox(threadFile(address, below), Infinity, session)) ?? []);
    return threads.find(({ root }) => isRoot(root)) ?? null;
  }
}

/** The mbox file of the thread at a path (`message/HASH`) of a list of HyperKitty. */
function threadFile(address: URL, path: string): string {
  const hash = path.split('/').at(-1)!;
  const list = address.pathname.split('/').filter(Boolean).at(-1)!;
  return new URL(`export/${list}-${hash}.mbox.gz?thread=${hash}`, address).href;
}
