import { jest } from '@jest/globals';
import { anExecution } from '../../../test/factories/executions.js';
import type { CommentBatch } from './batch-writer.js';
import { CommentSink } from './comment-sink.js';
import type { JobExecution } from './job-execution.js';
import type { CommentRow } from './records.js';

const rows = (count: number): CommentRow[] =>
  Array.from({ length: count }, (_, id) => ({ id }) as CommentRow);
const tree = (postId: string, comments: number, done = false) => ({ postId, comments, missing: 0, done });

describe('CommentSink', () => {
  let execution: JobExecution;
  let written: CommentBatch[];
  /** Completes the write in progress. */
  let finish: ((error?: Error) => void)[];
  let sink: CommentSink;

  beforeEach(() => {
    execution = anExecution();
    written = [];
    finish = [];
    sink = new CommentSink(execution, {
      writeComments: (_execution, batch) => {
        written.push(batch);
        return new Promise((resolve, reject) => finish.push((error) => (error ? reject(error) : resolve())));
      },
    });
  });

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await turn();
  };

  it('writes slices of several trees together, with the latest progress of each tree', async () => {
    await sink.push({ rows: rows(600), tree: tree('a', 600) });
    await sink.push({ rows: rows(300), tree: tree('b', 300) });
    await sink.push({ rows: rows(100), tree: tree('a', 700, true) });
    await until(() => written.length === 1);
    expect(written[0]!.comments).toHaveLength(1_000);
    expect(written[0]!.trees).toEqual([tree('a', 700, true), tree('b', 300)]);
    finish[0]!();
    await sink.drain();
    expect(written).toHaveLength(1);
  });

  describe('while the time in which a batch may fill does not pass', () => {
    beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => void jest.useRealTimers());

    it.each([
      ['when it is full', () => sink.push({ rows: rows(400), tree: tree('b', 400) })],
      ['when no more comments come', () => sink.drain()],
    ])('writes a batch %s', async (_when, act) => {
      await sink.push({ rows: rows(600), tree: tree('a', 600) });
      await turn();
      expect(written).toHaveLength(0);
      const acted = act();
      await turn();
      expect(written).toHaveLength(1);
      finish[0]!();
      await acted;
    });

    it('writes nothing after an abort', async () => {
      await sink.push({ rows: rows(600), tree: tree('a', 600) });
      execution.abort(new Error('lost'));
      await expect(sink.drain()).rejects.toThrow('lost');
      expect(written).toHaveLength(0);
    });
  });

  it('writes one batch at a time and splits no slice', async () => {
    await sink.push({ rows: rows(1_500), tree: tree('a', 1_500) });
    await sink.push({ rows: rows(900), tree: tree('b', 900) });
    await until(() => written.length === 1);
    await turn();
    expect(written.map(({ comments }) => comments.length)).toEqual([1_500]);
    finish[0]!();
    const drained = sink.drain();
    await until(() => written.length === 2);
    finish[1]!();
    await drained;
  });

  it('resumes walkers only when at most 4,000 comments are unwritten', async () => {
    let passed = 0;
    for (const id of ['a', 'b', 'c', 'd'])
      void sink.push({ rows: rows(2_000), tree: tree(id, 2_000) }).then(() => (passed += 1));
    const after = async (writes: number): Promise<number> => {
      if (writes > 0) finish[writes - 1]!();
      await until(() => written.length === writes + 1);
      await turn();
      return passed;
    };
    expect([await after(0), await after(1), await after(2)]).toEqual([2, 2, 4]);
    await after(3);
    finish[3]!();
    await sink.drain();
  });

  it('records the progress of a tree without comments', async () => {
    const drained = sink.push({ rows: [], tree: tree('a', 0, true) }).then(() => sink.drain());
    await until(() => written.length === 1);
    expect(written[0]).toEqual({ comments: [], trees: [tree('a', 0, true)] });
    finish[0]!();
    await drained;
  });

  it('makes walkers wait while more than 4,000 comments are unwritten', async () => {
    await sink.push({ rows: rows(3_000), tree: tree('a', 3_000) });
    let isThrough = false;
    const pushed = sink.push({ rows: rows(1_001), tree: tree('b', 1_001) }).then(() => (isThrough = true));
    await until(() => written.length === 1);
    await turn();
    expect(isThrough).toBe(false);
    finish[0]!();
    await pushed;
    await until(() => written.length === 2);
    finish[1]!();
    await sink.drain();
  });

  it('aborts the execution when a write fails and rejects the waiting walkers', async () => {
    await sink.push({ rows: rows(4_000), tree: tree('a', 4_000) });
    const waiting = expect(sink.push({ rows: rows(10), tree: tree('b', 10) })).rejects.toThrow('lost');
    await until(() => written.length === 1);
    finish[0]!(new Error('lost'));
    await waiting;
    expect(execution.signal.reason).toEqual(new Error('lost'));
    await expect(sink.drain()).rejects.toThrow('lost');
  });
});
