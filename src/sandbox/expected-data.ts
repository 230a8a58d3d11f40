import type { DataSetOptions } from './options.js';
import { type Branch, LEVELS, type Thread, TREE_LIMIT } from './data/thread.js';
import { DataSet } from './data/data-set.js';

const PAGE = 100;
const BATCH = 100;

/** Full names (`t3_…`) of a forum's newest posts, at most `n`, newest first. Listings show the first 1,000 positions. */
export function expectedPosts(options: DataSetOptions, forum: string, n: number): string[] {
  const data = new DataSet(options);
  return newest(data, forum, n).map(({ forumNumber, index }) => `t3_${data.ids.post(forumNumber, index)}`);
}

/**
 * Full names (`t1_…`) of the comments that a complete walk of a post's tree delivers, oldest first. `post` may omit
 * `t3_`.
 */
export function expectedComments(options: DataSetOptions, post: string): string[] {
  const data = new DataSet(options);
  const found = threadOf(data, post);
  if (!found) return [];
  const { thread, forumNumber, index } = found;
  return Array.from({ length: thread.size }, (_, comment) => comment)
    .filter((comment) => !thread.isUndelivered(comment))
    .map((comment) => `t1_${data.ids.comment(forumNumber, index, comment)}`);
}

/**
 * The minimum number of requests for one post's comments: its tree, each continued thread, and its stub ids in full
 * batches of 100.
 */
export function idealTreeRequests(options: DataSetOptions, post: string): number {
  const found = threadOf(new DataSet(options), post);
  return found ? leastRequests(found.thread) : 1;
}

/**
 * The minimum number of requests for a forum's newest `n` posts: the pages of `new`, and with comments
 * {@link idealTreeRequests} of every post that has some. Token requests are not counted.
 */
export function idealRequests(
  options: DataSetOptions,
  forum: string,
  n: number,
  withComments = true,
): number {
  const data = new DataSet(options);
  const found = data.forum(forum);
  if (!found) return 1;
  const posts = newest(data, forum, n);
  const last = posts.at(-1);
  const positions = last ? data.count(found) - last.index : 1;
  let requests = Math.ceil(positions / PAGE);
  if (!withComments) return requests;
  for (const { index } of posts)
    if (data.statedComments(found, index) > 0) requests += leastRequests(data.thread(found, index));
  return requests;
}

function newest(data: DataSet, name: string, n: number): { forumNumber: number; index: number }[] {
  const forum = data.forum(name);
  const posts: { forumNumber: number; index: number }[] = [];
  if (!forum) return posts;
  for (let index = data.count(forum) - 1; index >= 0 && posts.length < n; index--)
    if (!data.isHidden(forum, index)) posts.push({ forumNumber: forum.number, index });
  return posts;
}

function threadOf(data: DataSet, post: string) {
  const position = data.ids.parsePost(post.replace(/^t3_/, ''));
  const forum = position && data.forumOf(position);
  return position && forum
    ? { thread: data.thread(forum, position.index), forumNumber: forum.number, index: position.index }
    : null;
}

/** The ids that stubs list do not depend on how earlier ids were batched, so full batches give the minimum. */
function leastRequests(thread: Thread): number {
  const continuations: number[] = [];
  const pending: number[] = [];
  const note = (branch: Branch): void => {
    if (branch.hasDeeper) continuations.push(branch.index);
    for (const comment of branch.omitted) pending.push(comment);
    branch.children.forEach(note);
  };
  const enter = (focus: number | null): void => {
    const tree = thread.tree(focus, TREE_LIMIT, LEVELS, 'confidence');
    for (const comment of tree.omitted) pending.push(comment);
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
