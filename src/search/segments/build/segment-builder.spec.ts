import { jest } from '@jest/globals';
import type { DueTable } from './builder-statements.js';
import type { TransactionRunner } from '../../../database/transaction-runner.js';
import { SegmentBuilder } from './segment-builder.js';

describe('the building of segments', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('spends at most a tenth of the time looking for due tables', async () => {
    let now = 5_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let looks = 0;
    const due = (): Promise<DueTable[]> => {
      looks += 1;
      now += 400;
      return Promise.resolve([{ workspaceId: 'w', kind: 'posts', hasChanges: true, hasStale: false }]);
    };
    const build = () => Promise.resolve({ rows: 1, hasMore: true });
    const building = Object.assign(new SegmentBuilder([], {} as TransactionRunner), { due, build });
    expect(await building.work()).toBe(true);
    expect(await building.work()).toBe(false);
    now += 3_599;
    expect(await building.work()).toBe(false);
    expect(looks).toBe(1);
    now += 1;
    expect(await building.work()).toBe(true);
    expect(looks).toBe(2);
  });

  it('stops after the current step and begins no other', async () => {
    let endStep!: () => void;
    const begun = new Promise<void>((begin) => {
      jest.spyOn(SegmentBuilder.prototype, 'work').mockImplementation(
        () =>
          new Promise((end) => {
            endStep = () => end(true);
            begin();
          }),
      );
    });
    const building = new SegmentBuilder([], {} as TransactionRunner);
    building.onApplicationBootstrap();
    await begun;
    let hasEnded = false;
    const ended = building.beforeApplicationShutdown().then(() => (hasEnded = true));
    await new Promise((turn) => setImmediate(turn));
    expect(hasEnded).toBe(false);
    endStep();
    await ended;
    expect(building.work).toHaveBeenCalledTimes(1);
  });

  it('takes in changed rows of all tables between two rewrites', async () => {
    const steps: string[] = [];
    const step =
      (name: string) =>
      ({ workspaceId }: { workspaceId: string }) => {
        steps.push(`${name} ${workspaceId}`);
        return Promise.resolve({ rows: 1, hasMore: true });
      };
    const due = (): Promise<DueTable[]> =>
      Promise.resolve(
        ['a', 'b'].map((workspaceId) => ({ workspaceId, kind: 'posts', hasChanges: true, hasStale: true })),
      );
    const builder = Object.assign(new SegmentBuilder([], {} as TransactionRunner), {
      due,
      build: step('build'),
      rewrite: step('rewrite'),
    });
    jest.spyOn(performance, 'now').mockReturnValue(5_000);
    for (let pass = 0; pass < 2; pass += 1) await builder.work();
    expect(steps).toEqual(['build a', 'build b', 'rewrite b', 'build a', 'build b', 'rewrite a']);
  });
});
