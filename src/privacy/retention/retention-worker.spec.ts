import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { RetainedKind } from '../../tenants/workspaces/workspace.entity.js';
import type { DeletedBatch, ExpiredRows } from '../../tenants/ports/expiries.js';

const pauses: number[] = [];
jest.unstable_mockModule('node:timers/promises', () => ({
  setTimeout: (ms: number) => Promise.resolve(void pauses.push(ms)),
}));
const { RetentionWorker } = await import('./retention-worker.js');

const NOW = new Date('2026-06-30T12:00:00Z');
const DAY_MS = 86_400_000;

describe('RetentionWorker', () => {
  let retaining: { workspaceId: string; kind: RetainedKind; days: number }[];
  /** Remaining batches by workspace. */
  let left: Record<string, number>;
  let calls: ExpiredRows[];
  let counted: [string, number][];
  let worker: InstanceType<typeof RetentionWorker>;
  /** Called while a batch is being deleted. */
  let meanwhile: () => void;

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    calls = [];
    counted = [];
    left = {};
    meanwhile = () => undefined;
    const deleteBatch = (rows: ExpiredRows): Promise<DeletedBatch> => {
      calls.push({ ...rows });
      meanwhile();
      if (left[rows.workspaceId] === undefined) return Promise.reject(new Error('out of order'));
      left[rows.workspaceId]! -= 1;
      const isMore = left[rows.workspaceId]! > 0;
      return Promise.resolve({ deleted: 2, isMore, after: { time: 'later', id: String(calls.length) } });
    };
    worker = new RetentionWorker(
      { listRetaining: () => Promise.resolve(retaining) },
      { delete: deleteBatch },
      { now: () => Promise.resolve(NOW) },
      { count: (kind, rows) => counted.push([kind, rows]) },
    );
  });

  const deleteAll = async (): Promise<string[]> => {
    calls = [];
    while (await worker.work());
    return calls.map(({ workspaceId }) => workspaceId);
  };

  it('alternates between workspaces, and continues where the last batch ended', async () => {
    retaining = [
      { workspaceId: 'large', kind: 'comments', days: 30 },
      { workspaceId: 'small', kind: 'comments', days: 1 },
    ];
    left = { large: 3, small: 1 };
    expect(await deleteAll()).toEqual(['large', 'small', 'large', 'large']);
    expect(calls.map(({ before }) => (NOW.getTime() - before.getTime()) / DAY_MS)).toEqual([30, 1, 30, 30]);
    expect(calls.map(({ after }) => after?.id ?? null)).toEqual([null, null, '1', '3']);
    expect(counted).toEqual(Array(4).fill(['comments', 2]));
  });

  it('ends a pass early when its retention days are changed or removed', async () => {
    const hasty = { workspaceId: 'a', kind: 'posts', days: 1 } as const;
    retaining = [hasty, { workspaceId: 'b', kind: 'posts', days: 1 }];
    left = { a: 9, b: 9 };
    expect(await worker.work()).toBe(true);
    retaining = [{ ...hasty, days: 365 }];
    calls = [];
    expect(await worker.work()).toBe(true);
    expect(calls).toEqual([
      expect.objectContaining({
        workspaceId: 'a',
        before: new Date(NOW.getTime() - 365 * DAY_MS),
        after: null,
      }),
    ]);
  });

  it('starts other passes while a long one continues', async () => {
    retaining = [{ workspaceId: 'large', kind: 'posts', days: 1 }];
    left = { large: 3, small: 1 };
    await worker.work();
    retaining.push({ workspaceId: 'small', kind: 'posts', days: 1 });
    expect(await deleteAll()).toEqual(['large', 'small', 'large']);
  });

  it('continues with other workspaces when a batch fails', async () => {
    retaining = [
      { workspaceId: 'failing', kind: 'posts', days: 30 },
      { workspaceId: 'other', kind: 'posts', days: 30 },
    ];
    left = { other: 2 };
    expect(await deleteAll()).toEqual(['failing', 'other', 'other']);
  });

  it('starts no further batch once the process is stopping', async () => {
    retaining = ['a', 'b'].map((workspaceId) => ({ workspaceId, kind: 'posts', days: 30 }));
    left = { a: 2, b: 2 };
    meanwhile = () => void worker.beforeApplicationShutdown();
    expect(await worker.work()).toBe(false);
    expect(calls.map(({ workspaceId }) => workspaceId)).toEqual(['a']);
  });

  it('pauses after a batch for as long as it took, at most one second', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const durations = [300, 60_000, 5];
    meanwhile = () => (now += durations.shift()!);
    retaining = [{ workspaceId: 'a', kind: 'posts', days: 30 }];
    left = { a: 3 };
    pauses.length = 0;
    await deleteAll();
    clock.mockRestore();
    expect(pauses).toEqual([300, 1_000]);
  });

  it('runs a pass once an hour, and immediately after a change', async () => {
    retaining = [{ workspaceId: 'a', kind: 'jobs', days: 30 }];
    left = { a: 1 };
    expect(await deleteAll()).toEqual(['a']);
    expect(await deleteAll()).toEqual([]);
    retaining = [{ workspaceId: 'a', kind: 'jobs', days: 10 }];
    expect(await deleteAll()).toEqual(['a']);
  });
});
