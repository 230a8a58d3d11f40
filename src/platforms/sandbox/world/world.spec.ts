import { commentId, MAXIMUM_COMMENTS, MAXIMUM_POSTS, parseCommentId, parsePostId, postId } from './ids.js';
import { LEVELS, Thread, TREE_LIMIT } from './thread.js';
import { Slices } from './slices.js';
import { DEFAULT_EPOCH, World } from './world.js';

describe('ids', () => {
  it('name a position and are small enough for a double and ten digits', () => {
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

describe('World', () => {
  it('says the same for the same seed and something else for another', () => {
    const facts = (seed: number) => {
      const world = new World({ seed });
      const forum = world.forum('Technology')!;
      return Array.from({ length: 200 }, (_, index) => [
        world.score(forum, index),
        world.author(forum, index),
        world.threadSize(forum, index),
        world.createdAt(forum, index),
      ]);
    };
    expect(facts(7)).toEqual(facts(7));
    expect(facts(8)).not.toEqual(facts(7));
  });

  it('never goes back in time from one post to the next', () => {
    const world = new World({ live: { postsPerMinute: 7 }, now: () => DEFAULT_EPOCH.getTime() + 3_600_000 });
    const forum = world.forum('programming')!;
    const times = Array.from({ length: world.count(forum) }, (_, index) => world.createdAt(forum, index));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(world.contentNow());
  });

  it('lets posts and comments appear with the clock when content is live, and not otherwise', () => {
    let now = DEFAULT_EPOCH.getTime();
    const live = new World({ live: { postsPerMinute: 2 }, now: () => now });
    const still = new World({ now: () => now });
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

  it('finds the posts of an author without an index, exactly those that show the name', () => {
    const world = new World();
    const forum = world.forum('askanything')!;
    const owners = Array.from({ length: 8_000 }, (_, index) => world.authors.ofPost(forum.number, index));
    for (const author of [0, 1, 50, 300])
      expect(world.authors.postsOf(author, forum.number, 8_000).sort((a, b) => a - b)).toEqual(
        owners.flatMap((owner, index) => (owner === author ? [index] : [])),
      );
    expect(world.authors.names.length).toBeGreaterThan(300);
    expect(new Set(world.authors.names).size).toBe(world.authors.names.length);
  });

  it('shows other posts in other orders, so that history reaches past the newest thousand', () => {
    const slices = new Slices(new World());
    const forum = new World().forum('technology')!;
    const newest = slices.ofForum(forum, 'new', 'all');
    const top = slices.ofForum(forum, 'top', 'all');
    const controversial = slices.ofForum(forum, 'controversial', 'all');
    const all = new Set([...newest, ...top, ...controversial].map((post) => post.index));
    expect([newest.length, top.length, controversial.length]).toEqual([1_000, 1_000, 1_000]);
    expect(all.size).toBeGreaterThan(2_000);
    expect(slices.ofForum(forum, 'top', 'day').length).toBeLessThan(400);
  });
});

describe('Thread', () => {
  const thread = new Thread(5, 20_000);

  it('has parents before children and answers of at most ten levels and 500 comments', () => {
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

  it('counts more below a stub than the stub lists, and never delivers some of what it lists', () => {
    const { left } = thread.tree(null, TREE_LIMIT, LEVELS, 'new');
    expect(thread.weightOf(left)).toBeGreaterThan(left.length);
    const ghosts = left.filter((comment) => thread.isGhost(comment));
    expect(ghosts.length).toBeGreaterThan(0);
    expect(thread.more(ghosts)).toEqual([]);
  });

  it('gives a comment the same company in any batch', () => {
    const { left } = thread.tree(null, TREE_LIMIT, LEVELS, 'new');
    const whole = thread.more(left.slice(0, 100)).map((branch) => branch.index);
    const halves = [left.slice(0, 37), left.slice(37, 100)].flatMap((ids) =>
      thread.more(ids).map((branch) => branch.index),
    );
    expect(halves.sort()).toEqual(whole.sort());
  });
});
