import { jest } from '@jest/globals';
import { anExecution } from '../../../test/factories/executions.js';
import { ItemFaults } from '../../platforms/item-faults.js';
import {
  type CommentSlice,
  type PlatformComment,
  PlatformError,
  type PlatformSession,
} from '../../platforms/platform.js';
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
  let times: Date[];
  let execution: JobExecution;
  beforeEach(() => {
    pushed = [];
    times = [];
    execution = anExecution();
  });

  function walk(
    slices: CommentSlice[],
    stored: Promise<void>,
    {
      failures = [] as (Error | null)[],
      faults = new ItemFaults(3),
      readAt = undefined as Date | undefined,
    } = {},
  ): Promise<void> {
    const trees = new AsyncQueue<QueuedTree>();
    for (let at = 0; at < Math.max(1, failures.length); at += 1)
      trees.push({
        id: `t3_${at + 1}`,
        forum: 'a',
        permalink: '/',
        numComments: 9,
        stored,
        ...(readAt && { readAt }),
      });
    trees.close();
    let tree = 0;
    return walkTrees(
      execution,
      trees,
      {
        // eslint-disable-next-line @typescript-eslint/require-await
        async *walkComments() {
          yield* slices;
          const failure = failures[tree++];
          if (failure) throw failure;
        },
      },
      {
        comments: (comments, time) => {
          times.push(time);
          return Promise.resolve(comments.map(() => ({}) as CommentRow));
        },
      },
      {
        push: ({ rows, tree }) => {
          pushed.push({ rows: rows.length, tree });
          return Promise.resolve();
        },
      },
      faults,
    );
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('gives comments the time of their listing, or that at which the walk began', async () => {
    const now = execution.clock.now.bind(execution.clock);
    let ticks = 0;
    jest.spyOn(execution.clock, 'now').mockImplementation(() => new Date(now().getTime() + ticks++));
    const begun = new Date(now().getTime() + ticks);
    await walk([sliceOf(1, 0), sliceOf(1, 0)], Promise.resolve());
    await walk([sliceOf(1, 0)], Promise.resolve(), { readAt: new Date(5) });
    expect(times[0]!.getTime()).toBeGreaterThanOrEqual(begun.getTime());
    expect(times.slice(1)).toEqual([times[0], new Date(5)]);
  });

  it('names the post in entries about repeated requests of its tree', async () => {
    const trees = new AsyncQueue<QueuedTree>();
    for (const id of ['t3_1', 't3_2'])
      trees.push({ id, forum: 'a', permalink: '/', numComments: 1, stored: Promise.resolve() });
    trees.close();
    const entries: NewLogEntry[] = [];
    const walkComments = async function* (tree: { id: string }, session: PlatformSession) {
      await turn();
      session.onRetry?.({ what: `the thread of ${tree.id}`, cause: 'status 503', delayMs: 1 });
      yield sliceOf(0, 0);
    };
    const walk = () =>
      walkTrees(
        execution,
        trees,
        { walkComments },
        { comments: () => Promise.resolve([]) },
        { push: () => Promise.resolve() },
        new ItemFaults(3),
      );
    await Promise.all([walk(), walk()]);
    execution.session.onRetry?.({ what: 'a listing', cause: 'status 503', delayMs: 1 });
    await execution.log.flush({ append: (_w, _j, all) => Promise.resolve(void entries.push(...all)) });
    expect(entries.map(({ details }) => [details?.request, details?.post_id])).toEqual([
      ['the thread of t3_1', 't3_1'],
      ['the thread of t3_2', 't3_2'],
      ['a listing', undefined],
    ]);
  });

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

  describe('with a tree that keeps failing', () => {
    const unavailable = new PlatformError('unavailable', 'status 500');
    const stored = Promise.resolve();
    const done = () =>
      pushed.filter(({ tree }) => tree.done).map(({ tree }) => [tree.comments, tree.missing]);

    it('counts the rest of its comments as missing and reads the others', async () => {
      const faults = new ItemFaults(3);
      await walk([sliceOf(4, 2)], stored, { failures: [null, unavailable, null], faults });
      expect(done()).toEqual([
        [4, 2],
        [4, 5],
        [4, 2],
      ]);
      expect(() => faults.finish()).not.toThrow();
    });

    it('fails when others fail too', async () => {
      const failures = [null, unavailable, unavailable, unavailable, null];
      await expect(walk([sliceOf(1, 0)], stored, { failures })).rejects.toBe(unavailable);
      expect(done()).toHaveLength(3);
    });

    it('fails at its end when no tree could be read', async () => {
      const faults = new ItemFaults(3);
      await walk([], stored, { failures: [unavailable, unavailable], faults });
      expect(() => faults.finish()).toThrow(unavailable);
    });

    it.each([
      ['credentials are refused', new PlatformError('credentials_refused', 'no')],
      ['the service itself fails', new Error('a bug')],
    ])('fails at once when %s', async (_, error) => {
      await expect(walk([], stored, { failures: [error, null] })).rejects.toBe(error);
    });
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
