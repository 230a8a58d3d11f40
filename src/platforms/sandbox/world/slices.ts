import type { Forum } from './forums.js';
import { fraction, hash } from './hash.js';
import type { PostPosition } from './ids.js';
import type { World } from './world.js';

/** No listing goes further, whatever its order. */
export const LISTING_CAP = 1_000;

export const SORTS = ['new', 'hot', 'top', 'controversial', 'rising'] as const;
export type Sort = (typeof SORTS)[number];

const DAY = 86_400;
export const WINDOWS = {
  hour: 3600,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
  all: Infinity,
} as const;
export type Window = keyof typeof WINDOWS;

const SLICES_KEPT = 128;
/** The platform's own scale: so many seconds of age weigh as much as a factor of ten in score. */
const HOT_SECONDS = 45_000;

/** The at most 1,000 posts that a listing can show, in its order. Kept until new posts appear. */
export class Slices {
  private readonly kept = new Map<string, { stamp: number; posts: PostPosition[] }>();

  constructor(private readonly world: World) {}

  ofForum(forum: Forum, sort: Sort, window: Window): readonly PostPosition[] {
    const count = this.world.count(forum);
    const limit = sort === 'rising' ? 25 : LISTING_CAP;
    return this.keep(`r/${forum.number}/${sort}/${window}`, count, () => {
      if (sort === 'new') return positions(forum, count - 1, Math.max(0, count - LISTING_CAP), this.world);
      const oldest =
        sort === 'rising' ? Math.max(0, count - 200) : this.oldestWithin(forum, count, window, sort);
      const posts = positions(forum, count - 1, oldest, this.world);
      return this.ranked(posts, sort).slice(0, limit);
    });
  }

  /** Every post whose author is shown as this one, newest first. */
  ofAuthor(author: number): readonly PostPosition[] {
    const counts = this.world.forums.map((forum) => this.world.count(forum));
    const stamp = counts.reduce((sum, count) => sum + count, 0);
    return this.keep(`u/${author}`, stamp, () =>
      this.world.forums
        .flatMap((forum, i) =>
          this.world.authors
            .postsOf(author, forum.number, counts[i]!)
            .filter(
              (index) => this.world.author(forum, index) === author && !this.world.isHidden(forum, index),
            )
            .map((index) => ({ forum: forum.number, index, at: this.world.createdAt(forum, index) })),
        )
        .sort((a, b) => b.at - a.at || a.forum - b.forum || b.index - a.index),
    );
  }

  /** One listing of an author's posts. */
  ofAuthorSorted(author: number, sort: Sort, window: Window): readonly PostPosition[] {
    const all = this.ofAuthor(author);
    if (sort === 'new') return all.slice(0, LISTING_CAP);
    const stamp = this.world.forums.reduce((sum, forum) => sum + this.world.count(forum), 0);
    return this.keep(`u/${author}/${sort}/${window}`, stamp, () => {
      const since = this.world.contentNow() - (isWindowed(sort) ? WINDOWS[window] : Infinity);
      const within = all.filter((post) => this.world.createdAt(this.forum(post), post.index) > since);
      return this.ranked(within, sort).slice(0, LISTING_CAP);
    });
  }

  private ranked(posts: readonly PostPosition[], sort: Sort): PostPosition[] {
    const ranked = posts.map((post) => ({ post, rank: this.rank(post, sort) }));
    return ranked.sort((a, b) => b.rank - a.rank || b.post.index - a.post.index).map(({ post }) => post);
  }

  private rank(post: PostPosition, sort: Sort): number {
    const forum = this.forum(post);
    const score = this.world.score(forum, post.index);
    if (sort === 'top') return score;
    const size = Math.max(1, Math.abs(score));
    if (sort === 'controversial') return size * (1 - this.world.upvoteRatio(forum, post.index));
    if (sort === 'rising') return fraction(hash(this.world.seed, 81, post.forum, post.index));
    return Math.sign(score) * Math.log10(size) + this.world.createdAt(forum, post.index) / HOT_SECONDS;
  }

  private oldestWithin(forum: Forum, count: number, window: Window, sort: Sort): number {
    const since = this.world.contentNow() - (isWindowed(sort) ? WINDOWS[window] : Infinity);
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.world.createdAt(forum, middle) > since) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private forum(post: PostPosition): Forum {
    return this.world.forums[post.forum - 1]!;
  }

  private keep(key: string, stamp: number, make: () => PostPosition[]): readonly PostPosition[] {
    const known = this.kept.get(key);
    if (known?.stamp === stamp) return known.posts;
    const posts = make();
    this.kept.delete(key);
    if (this.kept.size >= SLICES_KEPT) this.kept.delete(this.kept.keys().next().value as string);
    this.kept.set(key, { stamp, posts });
    return posts;
  }
}

const isWindowed = (sort: Sort): boolean => sort === 'top' || sort === 'controversial';

function positions(forum: Forum, newest: number, oldest: number, world: World): PostPosition[] {
  const found: PostPosition[] = [];
  for (let index = newest; index >= oldest; index--)
    if (!world.isHidden(forum, index)) found.push({ forum: forum.number, index });
  return found;
}
