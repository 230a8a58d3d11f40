import { setTimeout as sleep } from 'node:timers/promises';
import { deletedComment, deletedPost } from '../../src/platforms/deleted-content.js';
import {
  type CommentSlice,
  type ContentLookup,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformComment,
  PlatformError,
  type PlatformErrorCode,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
} from '../../src/platforms/platform.js';
import type { Reading } from './models/readings.js';
import type { Surroundings } from './processes.js';
import { LISTED, type WorldComment, type WorldPost } from './world.js';

const POSTS_OF_PAGE = 8;
const COMMENTS_OF_SLICE = 2;
/** How requests fail after all their repetitions. */
const FAILURES: readonly PlatformErrorCode[] = ['rate_limited', 'unavailable', 'bad_answer'];

/** A process's client of the world's platform, which answers late, repeats requests, and fails as the port allows. */
export class WorldPlatform implements Platform {
  readonly source = 'reddit';
  readonly listings = ['new', 'top'] as const;
  readonly listingCap = LISTED;
  readonly archive = null;
  readonly lookup: ContentLookup = {
    prefixes: { post: 't3_', comment: 't1_' },
    commentsBy: 'id',
    findGonePosts: async (ids, session) => (await this.gone(ids, session)).map((id) => deletedPost(id)),
    findGoneComments: async (ids, _postId, session) =>
      (await this.gone(ids, session)).map((id) => deletedComment(id)),
  };
  private readonly random;

  constructor(
    private readonly process: string,
    private readonly surroundings: Surroundings,
  ) {
    this.random = surroundings.random.fork();
  }

  async fetchListing(
    { target, name }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const askedAt = this.surroundings.now();
    await this.answer(`page ${after ?? 'one'} of ${name} of ${target.name}`, session);
    const newest = this.postsOf(target.name)
      .filter(({ isListed }) => isListed)
      .slice(-LISTED)
      .reverse();
    const listed = name === 'new' ? newest : [...newest].sort((a, b) => placeInTop(b) - placeInTop(a));
    const rest = listed.filter((post) => after === null || cursorOf(name, post) < after);
    const page = rest.slice(0, POSTS_OF_PAGE);
    return {
      posts: page.map((post) => this.shown(post, session, askedAt)),
      after: page.length < rest.length ? cursorOf(name, page.at(-1)!) : null,
    };
  }

  async *walkComments({ id, forum }: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const reading = this.readingOf(session);
    const askedAt = this.surroundings.now();
    await this.answer(`comments of ${id}`, session);
    const { comments } = this.postsOf(forum).find(({ row }) => row.id === id)!;
    reading.walks(id);
    for (let at = 0; at < comments.length; at += COMMENTS_OF_SLICE) {
      if (at > 0) await this.answer(`comments of ${id} from ${at} on`, session);
      const slice = comments.slice(at, at + COMMENTS_OF_SLICE);
      for (const comment of slice) reading.showsComment(comment, askedAt);
      yield { comments: slice.map(commentOf), missing: 0 };
    }
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const askedAt = this.surroundings.now();
    await this.answer(`${ids.length} posts`, session);
    return [...this.surroundings.world.posts.values()]
      .flat()
      .filter(({ row }) => ids.includes(row.id))
      .map((post) => this.shown(post, session, askedAt));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private postsOf(forum: string): readonly WorldPost[] {
    return this.surroundings.world.posts.get(forum)!;
  }

  private readingOf(session: PlatformSession): Reading {
    return this.surroundings.readings.of(session);
  }

  /** Those of the posts or comments that are gone when the answer arrives. */
  private async gone(ids: readonly string[], session: PlatformSession): Promise<string[]> {
    await this.answer(`which of ${ids.length} texts are gone`, session);
    return ids.filter((id) => this.surroundings.world.isGone(id));
  }

  private shown({ row }: WorldPost, session: PlatformSession, askedAt: number): PlatformPost {
    this.readingOf(session).showsPost(row, askedAt);
    return { ...row, unknownFields: [], media: [] };
  }

  /** Resolves when an answer arrives, after as many repetitions as the seed wants; throws the port's errors. */
  private async answer(what: string, session: PlatformSession): Promise<void> {
    const { random } = this;
    const { isHealed, now, world, note } = this.surroundings;
    const isBroken = (): boolean => !isHealed() && random.chance(world.brokenUntil > now() ? 0.7 : 0.04);
    for (let attempt = 1; ; attempt += 1) {
      session.onRequest();
      await waited(100 + random.below(random.chance(0.02) && !isHealed() ? 12_000 : 400), session);
      if (!isBroken()) break;
      if (!isHealed() && random.chance(0.03)) throw new Error('A fault of the client');
      if (attempt > 3 || random.chance(0.2)) {
        const code = random.pick(FAILURES);
        note(`${this.process}: platform: ${what}: ${code}`);
        throw new PlatformError(code, `The platform did not answer for ${what}`);
      }
      const delayMs = random.below(random.chance(0.1) ? 30_000 : 3_000);
      session.onRetry?.({ what, cause: 'status 503', delayMs });
      const ended = session.onWait?.({
        reason: 'retry',
        until: new Date(now() + delayMs),
        cause: 'status 503',
      });
      await waited(delayMs, session).finally(ended);
    }
    session.onSuccess?.();
    note(`${this.process}: platform: ${what}`);
  }
}

async function waited(ms: number, { signal }: PlatformSession): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** What a listing is in the order of, without two equal values. */
const placeInTop = ({ row }: WorldPost): number => row.score * 1e6 + parseInt(row.id.slice(3), 36);

/** Falls from post to post of a listing. */
const cursorOf = (name: string, post: WorldPost): string =>
  name === 'new' ? post.row.id : String(placeInTop(post)).padStart(12, '0');

const commentOf = ({ commentId, ...comment }: WorldComment): PlatformComment => ({
  ...comment,
  id: commentId,
});
