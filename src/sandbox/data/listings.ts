import { firstIndex } from '../../common/collections.js';
import { LRUCache } from 'lru-cache';
import type { Forum } from './forums.js';
import { fraction, hash } from './random.js';
import type { PostPosition } from './numbered-ids.js';
import type { DataSet } from './data-set.js';

/** Maximum number of posts of a listing in any order, as on the platform. */
export const LISTING_CAP = 1_000;

/** Orders of listings. */
export const SORTS = ['new', 'hot', 'top', 'controversial', 'rising'] as const;
export type Sort = (typeof SORTS)[number];

const DAY = 86_400;
/** Lengths of the `t` windows in seconds. */
export const WINDOWS = {
  hour: 3600,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
  all: Infinity,
} as const;
export type Window = keyof typeof WINDOWS;

const MAX_CACHED_LISTINGS = 128;
/** Scale of the platform's `hot` order: this many seconds of age outweigh a factor of ten in score. */
const HOT_SECONDS = 45_000;

/** Computes the listings, at most 1,000 posts each, and caches them until posts are added. */
export class Listings {
  private readonly cache = new LRUCache<string, { state: string; posts: PostPosition[] }>({
    max: MAX_CACHED_LISTINGS,
  });

  constructor(private readonly data: DataSet) {}

  ofForum(forum: Forum, sort: Sort, window: Window): readonly PostPosition[] {
    const count = this.data.count(forum);
    const limit = sort === 'rising' ? 25 : LISTING_CAP;
    return this.cached(`r/${forum.number}/${sort}/${window}`, count, () => {
      const added = this.data.edits.postsWhere({ forum: forum.number });
      if (sort === 'new') {
        const posts = positions(forum, count - 1, Math.max(0, count - LISTING_CAP), this.data);
        return added.length === 0 ? posts : this.newestFirst([...added, ...posts]).slice(0, LISTING_CAP);
      }
      const oldest =
        sort === 'rising' ? Math.max(0, count - 200) : this.oldestWithin(forum, count, window, sort);
      const since = this.since(sort, window);
      const posts = [
        ...added.filter((post) => post.createdUtc > since),
        ...positions(forum, count - 1, oldest, this.data),
      ];
      return this.ranked(posts, sort).slice(0, limit);
    });
  }

  /** Every post that shows this author's name, newest first. */
  ofAuthor(author: number): readonly PostPosition[] {
    const counts = this.data.forums.map((forum) => this.data.count(forum));
    const count = counts.reduce((sum, count) => sum + count, 0);
    return this.cached(`u/${author}`, count, () => {
      const generated = this.data.forums.flatMap((forum, i) =>
        this.data.authors
          .postsOf(author, forum.number, counts[i]!)
          .map((index) => ({ forum: forum.number, index })),
      );
      return this.newestFirst(
        [...generated, ...this.data.edits.postsWhere({ author })].filter(
          (post) =>
            this.data.author(this.forum(post), post.index) === author &&
            !this.data.isHidden(this.forum(post), post.index),
        ),
      );
    });
  }

  /** One listing of an author's posts. */
  ofAuthorSorted(author: number, sort: Sort, window: Window): readonly PostPosition[] {
    const all = this.ofAuthor(author);
    if (sort === 'new') return all.slice(0, LISTING_CAP);
    const count = this.data.forums.reduce((sum, forum) => sum + this.data.count(forum), 0);
    return this.cached(`u/${author}/${sort}/${window}`, count, () => {
      const since = this.since(sort, window);
      const within = all.filter((post) => this.data.createdAt(this.forum(post), post.index) > since);
      return this.ranked(within, sort).slice(0, LISTING_CAP);
    });
  }

  private newestFirst(posts: readonly PostPosition[]): PostPosition[] {
    return posts
      .map(({ forum, index }) => ({
        forum,
        index,
        at: this.data.createdAt(this.forum({ forum, index }), index),
      }))
      .sort((a, b) => b.at - a.at || a.forum - b.forum || b.index - a.index);
  }

  /** The time in seconds after which the posts of a listing were created. */
  private since(sort: Sort, window: Window): number {
    return this.data.contentNow() - (isWindowed(sort) ? WINDOWS[window] : Infinity);
  }

  private ranked(posts: readonly PostPosition[], sort: Sort): PostPosition[] {
    const ranked = posts.map((post) => ({ post, rank: this.rank(post, sort) }));
    return ranked.sort((a, b) => b.rank - a.rank || b.post.index - a.post.index).map(({ post }) => post);
  }

  private rank(post: PostPosition, sort: Sort): number {
    const forum = this.forum(post);
    const score = this.data.score(forum, post.index);
    if (sort === 'top') return score;
    const size = Math.max(1, Math.abs(score));
    if (sort === 'controversial') return size * (1 - this.data.upvoteRatio(forum, post.index));
    if (sort === 'rising') return fraction(hash(this.data.seed, 81, post.forum, post.index));
    return Math.sign(score) * Math.log10(size) + this.data.createdAt(forum, post.index) / HOT_SECONDS;
  }

  private oldestWithin(forum: Forum, count: number, window: Window, sort: Sort): number {
    const since = this.since(sort, window);
    return firstIndex(count, (index) => this.data.createdAt(forum, index) > since);
  }

  private forum(post: PostPosition): Forum {
    return this.data.forums[post.forum - 1]!;
  }

  /** The cached posts, recomputed after an edit or a change in the number of posts. */
  private cached(key: string, count: number, make: () => PostPosition[]): readonly PostPosition[] {
    const state = `${count}/${this.data.edits.revision}`;
    const cached = this.cache.get(key);
    if (cached?.state === state) return cached.posts;
    const posts = make();
    this.cache.set(key, { state, posts });
    return posts;
  }
}

const isWindowed = (sort: Sort): boolean => sort === 'top' || sort === 'controversial';

function positions(forum: Forum, newest: number, oldest: number, data: DataSet): PostPosition[] {
  const found: PostPosition[] = [];
  for (let index = newest; index >= oldest; index--)
    if (!data.isHidden(forum, index)) found.push({ forum: forum.number, index });
  return found;
}
