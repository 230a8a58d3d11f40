import { anExecution } from '../../../test/factories/executions.js';
import type { CommentSlice, PlatformComment } from '../../platforms/platform.js';
import { AsyncQueue } from './async-queue.js';
import type { JobExecution } from './job-execution.js';
import type { NewLogEntry } from './log/job-log.repository.js';
import type { CommentRow } from './records.js';
import { type QueuedTree, walkTrees } from './tree-walk.js';
import type { TreeProgress } from './work-list.repository.js';

const sliceOf = (count: number, missing: number): CommentSlice => ({
  comments: Array.from({ length: count }, () => ({}) as PlatformComment),
  missing,
});

describe('walkTrees', () => {
  let pushed: { rows: number; tree: TreeProgress }[];
  let execution: JobExecution;
  beforeEach(() => {
    pushed = [];
    execution = anExecution();
  });

  function walk(slices: CommentSlice[], stored: Promise<void>): Promise<void> {
    const trees = new AsyncQueue<QueuedTree>();
    trees.push({ id: 't3_1', forum: 'a', permalink: '/', numComments: 9, stored });
    trees.close();
    return walkTrees(
      execution,
      trees,
      {
        // eslint-disable-next-line @typescript-eslint/require-await
        async *walkComments() {
          yield* slices;
        },
      },
      { comments: (comments) => Promise.resolve(comments.map(() => ({}) as CommentRow)) },
      {
        push: ({ rows, tree }) => {
          pushed.push({ rows: rows.length, tree });
          return Promise.resolve();
        },
      },
    );
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('counts comments slice by slice and then marks the tree as complete', async () => {
    await walk([sliceOf(3, 1), sliceOf(2, 4)], Promise.resolve());
    const tree = { postId: 't3_1', done: false };
    expect(pushed).toEqual([
      { rows: 3, tree: { ...tree, comments: 3, missing: 1 } },
      { rows: 2, tree: { ...tree, comments: 5, missing: 4 } },
      { rows: 0, tree: { ...tree, comments: 5, missing: 4, done: true } },
    ]);
  });

  it.each([
    { missing: 0, details: [] },
    { missing: 1, details: [{ post_id: 't3_1', missing: 1 }] },
    { missing: 4, details: [{ post_id: 't3_1', missing: 4 }] },
  ])('logs a tree of which $missing comments are missing', async ({ missing, details }) => {
    await walk([sliceOf(2, 9), sliceOf(2, missing)], Promise.resolve());
    const logged: NewLogEntry[] = [];
    await execution.log.flush({
      append: (_workspaceId, _jobId, entries) => Promise.resolve(void logged.push(...entries)),
    });
    expect(logged.map((entry) => entry.details)).toEqual(details);
  });

  it.each([
    { what: 'comments', slices: [sliceOf(1, 0)] },
    { what: 'the end of a tree without comments', slices: [] },
  ])('passes $what on only once the post is stored', async ({ slices }) => {
    let store: () => void;
    const walked = walk(slices, new Promise((resolve) => (store = resolve)));
    await turn();
    expect(pushed).toEqual([]);
    store!();
    await walked;
    expect(pushed.at(-1)!.tree.done).toBe(true);
  });

  it('passes on no comments of a post that could not be stored', async () => {
    const failed = Promise.reject(new Error('full'));
    await expect(walk([sliceOf(1, 0)], failed)).rejects.toThrow('full');
    expect(pushed).toEqual([]);
  });
});
