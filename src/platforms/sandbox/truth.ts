import type { WorldOptions } from './options.js';
import { commentId, parsePostId, postId } from './world/ids.js';
import { type Branch, LEVELS, type Thread, TREE_LIMIT } from './world/thread.js';
import { World } from './world/world.js';

const PAGE = 100;
const BATCH = 100;

/** Full names (`t3_…`) of a forum's newest posts, at most `n`, newest first. Listings show the first 1,000 positions. */
export function expectedPosts(options: WorldOptions, forum: string, n: number): string[] {
  return newest(new World(options), forum, n).map(
    ({ forumNumber, index }) => `t3_${postId(forumNumber, index)}`,
  );
}

/** Full names (`t1_…`) that a full walk of a post's comments delivers, oldest first. `post` with or without `t3_`. */
export function expectedComments(options: WorldOptions, post: string): string[] {
  const found = threadOf(new World(options), post);
  if (!found) return [];
  const { thread, forumNumber, index } = found;
  return Array.from({ length: thread.size }, (_, comment) => comment)
    .filter((comment) => !thread.isGhost(comment))
    .map((comment) => `t1_${commentId(forumNumber, index, comment)}`);
}

/**
 * The fewest requests a walk through one post's comments can need: its tree, each continuation, and its stub ids in
 * full batches of 100.
 */
export function idealTreeRequests(options: WorldOptions, post: string): number {
  const found = threadOf(new World(options), post);
  return found ? leastRequests(found.thread) : 1;
}

/**
 * The fewest requests for a forum's newest `n` posts: the pages of `new`, and with comments what
 * {@link idealTreeRequests} says of every post that states some. Tokens are not counted.
 */
export function idealRequests(options: WorldOptions, forum: string, n: number, withComments = true): number {
  const world = new World(options);
  const found = world.forum(forum);
  if (!found) return 1;
  const posts = newest(world, forum, n);
  const last = posts.at(-1);
  const positions = last ? world.count(found) - last.index : 1;
  let requests = Math.ceil(positions / PAGE);
  if (!withComments) return requests;
  for (const { index } of posts)
    if (world.statedComments(found, index) > 0) requests += leastRequests(world.thread(found, index));
  return requests;
}

function newest(world: World, name: string, n: number): { forumNumber: number; index: number }[] {
  const forum = world.forum(name);
  const posts: { forumNumber: number; index: number }[] = [];
  if (!forum) return posts;
  for (let index = world.count(forum) - 1; index >= 0 && posts.length < n; index--)
    if (!world.isHidden(forum, index)) posts.push({ forumNumber: forum.number, index });
  return posts;
}

function threadOf(world: World, post: string) {
  const position = parsePostId(post.replace(/^t3_/, ''));
  const forum = position && world.forumOf(position);
  return position && forum
    ? { thread: world.thread(forum, position.index), forumNumber: forum.number, index: position.index }
    : null;
}

/** No walk needs fewer: what stubs list does not depend on how their ids are batched, only how full batches are does. */
function leastRequests(thread: Thread): number {
  const continuations: number[] = [];
  const pending: number[] = [];
  const note = (branch: Branch): void => {
    if (branch.deeper) continuations.push(branch.index);
    for (const comment of branch.left) pending.push(comment);
    branch.children.forEach(note);
  };
  const enter = (focus: number | null): void => {
    const tree = thread.tree(focus, TREE_LIMIT, LEVELS, 'confidence');
    for (const comment of tree.left) pending.push(comment);
    tree.branches.forEach(note);
  };
  enter(null);
  let entered = 0;
  let listed = 0;
  for (;;) {
    const focus = continuations.pop();
    const comment = focus === undefined ? pending.pop() : undefined;
    if (focus !== undefined) {
      enter(focus);
      entered++;
    } else if (comment !== undefined) {
      thread.more([comment]).forEach(note);
      listed++;
    } else return 1 + entered + Math.ceil(listed / BATCH);
  }
}
