import { LRUCache } from 'lru-cache';
import type { DataSetOptions } from '../options.js';
import { Authors } from './authors.js';
import { Edits, type Fate } from './edits.js';
import { type Forum, type PostKind, resolveForums } from './forums.js';
import { fraction, hash } from './random.js';
import { ContentIds, type PostPosition } from './numbered-ids.js';
import { Thread } from './thread.js';

/** The end of the generated content, unless posts keep appearing. */
export const EPOCH = new Date('2026-11-01T00:00:00Z');
const EPOCH_SECONDS = EPOCH.getTime() / 1_000;

/** Independent streams of hash bits, one for each property of a post. */
const enum Facet {
  Time = 1,
  Score,
  Ratio,
  Comments,
  Stated,
  Author,
  Removed,
  Hidden,
  Kind,
  LiveTime,
}

const MAX_CACHED_THREADS = 64;
const LONGEST_THREAD_SECONDS = 36 * 3600;
const FIRST_COMMENT_AFTER_SECONDS = 30;
const USUAL_COMMENT_INTERVAL_SECONDS = 90;

/**
 * The generated data set. Every property is derived from the seed and a position, except those of {@link edits}. Only
 * the structures of a few threads are cached, for the consecutive requests of one walk.
 */
export class DataSet {
  readonly seed: number;
  readonly ids: ContentIds;
  /** Origin of the addresses of its own posts. */
  readonly site: string;
  readonly forums: readonly Forum[];
  readonly authors: Authors;
  readonly edits = new Edits();
  private readonly byName: Map<string, Forum>;
  private readonly liveStepSeconds: number | null;
  private readonly now: () => number;
  private readonly threads = new LRUCache<string, Thread>({ max: MAX_CACHED_THREADS });

  constructor(options: DataSetOptions = {}) {
    this.seed = options.seed ?? 1;
    this.ids = new ContentIds(options.idMark ?? '');
    this.site = options.site ?? 'https://www.reddit.com';
    this.forums = resolveForums(options.forums);
    this.byName = new Map(this.forums.map((forum) => [forum.name, forum]));
    this.authors = new Authors(this.seed);
    this.liveStepSeconds = options.live ? 60 / options.live.postsPerMinute : null;
    this.now = options.now ?? Date.now;
  }

  forum(name: string): Forum | null {
    return this.byName.get(name.toLowerCase()) ?? null;
  }

  /** The forum of a position, if the post exists now. */
  forumOf(position: PostPosition): Forum | null {
    const forum = this.forums[position.forum - 1];
    if (!forum) return null;
    const exists = position.index < this.count(forum) || this.edits.post(forum.number, position.index);
    return exists ? forum : null;
  }

  /** The platform's current time in seconds: the clock when content is live, otherwise the epoch. */
  contentNow(): number {
    return this.liveStepSeconds === null
      ? EPOCH_SECONDS
      : Math.max(EPOCH_SECONDS, Math.floor(this.now() / 1000));
  }

  /** Generated posts of a forum that exist now. */
  count(forum: Forum): number {
    if (this.liveStepSeconds === null) return forum.posts;
    const now = this.contentNow();
    const steps = Math.floor((now - EPOCH_SECONDS) / this.liveStepSeconds);
    const newest = forum.posts + steps;
    return newest + (this.createdAt(forum, newest) <= now ? 1 : 0);
  }

  /** Seconds; later indexes are never earlier. */
  createdAt(forum: Forum, index: number): number {
    const added = this.edits.post(forum.number, index);
    if (added) return added.createdUtc;
    const sinceEpoch = index - forum.posts;
    if (sinceEpoch < 0)
      return (
        EPOCH_SECONDS +
        sinceEpoch * forum.intervalSeconds +
        (this.bits(Facet.Time, forum, index) % forum.intervalSeconds)
      );
    const step = this.liveStepSeconds ?? 60;
    const jitter = this.bits(Facet.LiveTime, forum, index) % Math.max(1, Math.floor(step));
    return EPOCH_SECONDS + Math.floor(sinceEpoch * step) + jitter;
  }

  /** Mostly below ten, sometimes thousands, a few negative. Scores of posts younger than the epoch still grow. */
  score(forum: Forum, index: number): number {
    const added = this.edits.post(forum.number, index);
    if (added) return added.score;
    const bits = this.bits(Facet.Score, forum, index);
    const share = fraction(bits);
    const final = bits % 40 === 0 ? -(bits % 7) : Math.round(Math.exp(share * share * 9.6));
    if (index < forum.posts) return final;
    const age = Math.max(0, this.contentNow() - this.createdAt(forum, index));
    return Math.round((final * age) / (age + 1800));
  }

  /** In [0.3, 1], two decimals. */
  upvoteRatio(forum: Forum, index: number): number {
    const share = fraction(this.bits(Facet.Ratio, forum, index));
    return Math.round((1 - share ** 3 * 0.7) * 100) / 100;
  }

  kind(forum: Forum, index: number): PostKind {
    const added = this.edits.post(forum.number, index);
    if (added) return added.url === null ? 'self' : 'link';
    const total = forum.kinds.reduce((sum, [, weight]) => sum + weight, 0);
    let left = fraction(this.bits(Facet.Kind, forum, index)) * total;
    for (const [kind, weight] of forum.kinds) if ((left -= weight) < 0) return kind;
    return 'self';
  }

  /** The author's number, or null when the account is gone. */
  author(forum: Forum, index: number): number | null {
    if (this.fate(forum, index) === 'deleted') return null;
    const added = this.edits.post(forum.number, index);
    if (added) return added.author;
    if (this.bits(Facet.Author, forum, index) % 40 === 0) return null;
    return this.authors.ofPost(forum.number, index);
  }

  isRemoved(forum: Forum, index: number): boolean {
    if (this.edits.post(forum.number, index)) return this.fate(forum, index) === 'removed';
    return this.fate(forum, index) === 'removed' || this.bits(Facet.Removed, forum, index) % 50 === 0;
  }

  /** Whether listings leave the post out, as the platform does with spam. */
  isHidden(forum: Forum, index: number): boolean {
    if (this.edits.post(forum.number, index)) return false;
    return forum.hiddenShare > 0 && fraction(this.bits(Facet.Hidden, forum, index)) < forum.hiddenShare;
  }

  /** The two pinned posts at the top of a forum's `hot` listing. */
  stickies(forum: Forum): number[] {
    return forum.posts < 500 ? [] : [forum.posts - 60, forum.posts - 410];
  }

  isSticky(forum: Forum, index: number): boolean {
    return this.stickies(forum).includes(index);
  }

  /** Current number of comments of a post, including those that are never delivered. */
  threadSize(forum: Forum, index: number): number {
    const added = this.edits.commentsOf(forum.number, index);
    return added ? added.generatedSize + added.comments.length : this.generatedThreadSize(forum, index);
  }

  private generatedThreadSize(forum: Forum, index: number): number {
    if (this.edits.post(forum.number, index)) return 0;
    const final = this.finalThreadSize(forum, index);
    if (this.liveStepSeconds === null || final === 0) return final;
    const elapsed = this.contentNow() - this.createdAt(forum, index) - FIRST_COMMENT_AFTER_SECONDS;
    return Math.max(0, Math.min(final, Math.floor(elapsed / stepOf(final))));
  }

  /** The post's `num_comments`: close to the real number, and 0 only when there are none. */
  statedComments(forum: Forum, index: number): number {
    const size = this.threadSize(forum, index);
    if (this.edits.commentsOf(forum.number, index)) return size;
    const bits = this.bits(Facet.Stated, forum, index);
    const off = bits % 5 === 0 ? ((bits >>> 8) % 6) - 2 : 0;
    return size === 0 ? 0 : Math.max(1, size + off);
  }

  /** Creation time in seconds; unique per comment of a post and increasing with the index. */
  commentedAt(forum: Forum, index: number, comment: number): number {
    const added = this.edits.comment(forum.number, index, comment);
    if (added) return added.createdUtc;
    const step = stepOf(this.finalThreadSize(forum, index));
    const jitter = hash(this.seed, 31, forum.number, index, comment) % step;
    return this.createdAt(forum, index) + FIRST_COMMENT_AFTER_SECONDS + comment * step + jitter;
  }

  thread(forum: Forum, index: number): Thread {
    const size = this.threadSize(forum, index);
    const key = `${forum.number}:${index}:${size}`;
    const cached = this.threads.get(key);
    if (cached) return cached;
    const added = this.edits.commentsOf(forum.number, index);
    const thread = new Thread(
      hash(this.seed, 41, forum.number, index),
      added?.generatedSize ?? size,
      added?.comments.map(({ parent }) => parent),
    );
    this.threads.set(key, thread);
    return thread;
  }

  /** How the platform shows a deleted post, or with `comment` one of its comments; null when it was not deleted. */
  fate(forum: Forum, index: number, comment?: number): Fate | null {
    return this.edits.fate(forum.number, index, comment);
  }

  private finalThreadSize(forum: Forum, index: number): number {
    if (forum.commentsPerPost !== null) return forum.commentsPerPost;
    const bits = this.bits(Facet.Comments, forum, index);
    if (bits % 6 === 0) return 0;
    const share = fraction(this.bits(Facet.Comments, forum, index, 1));
    if (bits % 150 === 1) return 150 + Math.floor(share * 750);
    return Math.round(-Math.log(1 - share) * forum.typicalComments);
  }

  private bits(facet: Facet, forum: Forum, index: number, more = 0): number {
    return hash(this.seed, facet, forum.number, index, more);
  }
}

function stepOf(comments: number): number {
  const duration = Math.min(LONGEST_THREAD_SECONDS, comments * USUAL_COMMENT_INTERVAL_SECONDS);
  return Math.max(1, Math.floor(duration / Math.max(1, comments)));
}
