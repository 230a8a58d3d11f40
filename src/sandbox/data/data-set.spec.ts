import {
  commentId,
  MAXIMUM_COMMENTS,
  MAXIMUM_POSTS,
  parseCommentId,
  parsePostId,
  postId,
} from './numbered-ids.js';
import { LEVELS, Thread, TREE_LIMIT } from './thread.js';
import { Listings } from './listings.js';
import { EPOCH, DataSet } from './data-set.js';

describe('ids', () => {
  it('encode a position and fit into a double and ten digits', () => {
    expect(parsePostId(postId(3, 12_345))).toEqual({ forum: 3, index: 12_345 });
    const last = commentId(1023, MAXIMUM_POSTS - 1, MAXIMUM_COMMENTS - 1);
    expect(last.length).toBeLessThanOrEqual(10);
    expect(parseInt(last, 36)).toBeLessThan(2 ** 53);
    expect(parseCommentId(last)).toEqual({
      forum: 1023,
      index: MAXIMUM_POSTS - 1,
      comment: MAXIMUM_COMMENTS - 1,
    });
    expect(parsePostId('../etc')).toBeNull();
    expect(parsePostId('1')).toBeNull();
  });
});

describe('DataSet', () => {
  it('gives the same data for the same seed and different data for another', () => {
    const facts = (seed: number) => {
      const data = new DataSet({ seed });
      const forum = data.forum('Technology')!;
      return Array.from({ length: 200 }, (_, index) => [
        data.score(forum, index),
        data.author(forum, index),
        data.threadSize(forum, index),
        data.createdAt(forum, index),
      ]);
    };
    expect(facts(7)).toEqual(facts(7));
    expect(facts(8)).not.toEqual(facts(7));
  });

  it('creates posts in the order of their indexes', () => {
    const data = new DataSet({ live: { postsPerMinute: 7 }, now: () => EPOCH.getTime() + 3_600_000 });
    const forum = data.forum('programming')!;
    const times = Array.from({ length: data.count(forum) }, (_, index) => data.createdAt(forum, index));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(data.contentNow());
  });

  it('adds posts and comments over time only when content is live', () => {
    let now = EPOCH.getTime();
    const live = new DataSet({ live: { postsPerMinute: 2 }, now: () => now });
    const still = new DataSet({ now: () => now });
    const count = () => live.count(live.forum('technology')!);
    const before = count();
    const newest = before - 1;
    const early = live.threadSize(live.forum('technology')!, newest);
    now += 24 * 3_600_000;
    expect(count() - before).toBeGreaterThanOrEqual(2 * 24 * 60 - 1);
    expect(count() - before).toBeLessThanOrEqual(2 * 24 * 60 + 1);
    expect(live.threadSize(live.forum('technology')!, newest)).toBeGreaterThan(early);
    expect(still.count(still.forum('technology')!)).toBe(12_500);
  });

  it('states about as many comments as a post has', () => {
    const data = new DataSet();
    const forum = data.forum('askanything')!;
    const differences = new Set<number>();
    for (let index = 0; index < 1_000; index += 1) {
      const [size, stated] = [data.threadSize(forum, index), data.statedComments(forum, index)];
      expect(stated === 0).toBe(size === 0);
      differences.add(stated - size);
    }
    expect([...differences].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
  });

  it('lists the posts of a window, without one created a second before it', () => {
    // With this seed one post is exactly a day old.
    const data = new DataSet({ seed: 123 });
    const forum = data.forum('technology')!;
    const since = data.contentNow() - 86_400;
    const indexes = Array.from({ length: data.count(forum) }, (_, index) => index);
    expect(indexes.filter((index) => data.createdAt(forum, index) === since)).toHaveLength(1);
    const within = indexes.filter((index) => data.createdAt(forum, index) > since);
    const listed = new Listings(data).ofForum(forum, 'top', 'day').map(({ index }) => index);
    expect(listed.sort((a, b) => a - b)).toEqual(within);
  });

  it('finds exactly the posts of an author', () => {
    const data = new DataSet();
    const forum = data.forum('askanything')!;
    const owners = Array.from({ length: 8_000 }, (_, index) => data.authors.ofPost(forum.number, index));
    for (const author of [0, 1, 50, 300])
      expect(data.authors.postsOf(author, forum.number, 8_000).sort((a, b) => a - b)).toEqual(
        owners.flatMap((owner, index) => (owner === author ? [index] : [])),
      );
    expect(data.authors.names.length).toBeGreaterThan(300);
    expect(new Set(data.authors.names).size).toBe(data.authors.names.length);
  });

  it('lists other posts in other orders', () => {
    const listings = new Listings(new DataSet());
    const forum = new DataSet().forum('technology')!;
    const newest = listings.ofForum(forum, 'new', 'all');
    const top = listings.ofForum(forum, 'top', 'all');
    const controversial = listings.ofForum(forum, 'controversial', 'all');
    const all = new Set([...newest, ...top, ...controversial].map((post) => post.index));
    expect([newest.length, top.length, controversial.length]).toEqual([1_000, 1_000, 1_000]);
    expect(all.size).toBeGreaterThan(2_000);
    expect(listings.ofForum(forum, 'top', 'day').length).toBeLessThan(400);
  });
});

describe('Thread', () => {
  const thread = new Thread(5, 20_000);

  it('has parents before children and responses of at most ten levels and 500 comments', () => {
    let shown = 0;
    const check = (branches: ReturnType<Thread['tree']>['branches'], depth: number): void => {
      for (const branch of branches) {
        shown++;
        expect(branch.depth).toBe(depth);
        for (const child of branch.children) expect(thread.parent[child.index]).toBe(branch.index);
        check(branch.children, depth + 1);
      }
      expect(depth).toBeLessThanOrEqual(LEVELS);
    };
    check(thread.tree(null, 5_000, LEVELS, 'new').branches, 0);
    expect(shown).toBe(TREE_LIMIT);
    expect(thread.parent.every((parent, index) => parent < index)).toBe(true);
    expect(Math.max(...thread.depth)).toBeGreaterThan(LEVELS);
  });

  it('marks comments of the last level that have replies, and omits those replies', () => {
    const { branches } = thread.tree(null, TREE_LIMIT, 2, 'new');
    const last = branches.flatMap((branch) => branch.children);
    expect(branches.some((branch) => branch.hasDeeper)).toBe(false);
    expect(last.map((branch) => branch.hasDeeper)).toEqual(
      last.map((branch) => thread.parent.includes(branch.index)),
    );
    expect(last.some((branch) => branch.hasDeeper)).toBe(true);
    expect(last.flatMap((branch) => branch.omitted)).toEqual([]);
  });

  it('counts whole subtrees in stubs, and never delivers some of the listed ids', () => {
    const { omitted } = thread.tree(null, TREE_LIMIT, LEVELS, 'new');
    expect(thread.subtreeSizeOf(omitted)).toBeGreaterThan(omitted.length);
    const undelivered = omitted.filter((comment) => thread.isUndelivered(comment));
    expect(undelivered.length).toBeGreaterThan(0);
    expect(thread.more(undelivered)).toEqual([]);
  });

  it('returns the same replies with a comment in any batch', () => {
    const { omitted } = thread.tree(null, TREE_LIMIT, LEVELS, 'new');
    const whole = thread.more(omitted.slice(0, 100)).map((branch) => branch.index);
    const halves = [omitted.slice(0, 37), omitted.slice(37, 100)].flatMap((ids) =>
      thread.more(ids).map((branch) => branch.index),
    );
    expect(halves.sort()).toEqual(whole.sort());
  });
});
