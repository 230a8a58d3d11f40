import { jest } from '@jest/globals';
import { PollingLoop } from './polling-loop.js';
import { enterWorkspace, openWorkScope, presentWorkspace } from './work-scope.js';

const HOUR = 3_600_000;

describe('PollingLoop', () => {
  it('continues immediately while there is more work', async () => {
    const answers = [true, true, false, false];
    let runs = 0;
    const loop: PollingLoop = new PollingLoop(
      () => {
        runs += 1;
        if (runs === 3) loop.wake();
        return Promise.resolve(answers[runs - 1]!);
      },
      HOUR,
      () => undefined,
    );
    loop.wake();
    while (runs < 4) await Promise.resolve();
    await loop.stop();
    expect(runs).toBe(4);
  });

  it('runs outside any workspace when a request of one wakes it', async () => {
    const seen: (string | undefined)[] = [];
    const loop = new PollingLoop(
      () => Promise.resolve(seen.push(presentWorkspace()) < 2),
      HOUR,
      () => undefined,
    );
    openWorkScope(() => {
      enterWorkspace('a workspace');
      expect(presentWorkspace()).toBe('a workspace');
      loop.wake();
    });
    while (seen.length < 2) await Promise.resolve();
    await loop.stop();
    expect(seen).toEqual([undefined, undefined]);
  });

  it('runs one execution at a time, and stop waits for it', async () => {
    let finish = (): void => undefined;
    let running = 0;
    let most = 0;
    const loop = new PollingLoop(
      () => {
        most = Math.max(most, (running += 1));
        return new Promise<boolean>((resolve) => {
          finish = () => {
            running -= 1;
            resolve(false);
          };
        });
      },
      HOUR,
      () => undefined,
    );
    loop.wake();
    loop.wake();
    const stopped = loop.stop();
    finish();
    await stopped;
    expect([most, running]).toEqual([1, 0]);
    loop.wake();
    expect(running).toBe(0);
  });

  it('runs once more when the work wakes it before its first wait', async () => {
    let runs = 0;
    let running = 0;
    let most = 0;
    const loop: PollingLoop = new PollingLoop(
      async () => {
        runs += 1;
        most = Math.max(most, (running += 1));
        if (runs === 1) loop.wake();
        await Promise.resolve();
        running -= 1;
        return false;
      },
      HOUR,
      () => undefined,
    );
    loop.wake();
    while (runs < 2 || running > 0) await Promise.resolve();
    await loop.stop();
    expect([runs, most]).toEqual([2, 1]);
  });

  it('reports a failure and continues', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const loop = new PollingLoop(
      () => {
        runs += 1;
        return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve(false);
      },
      1,
      (error) => errors.push(error),
    );
    loop.wake();
    while (runs < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await loop.stop();
    expect(errors).toEqual([new Error('once')]);
  });

  describe('between executions', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('waits after a failure, even when it was woken meanwhile', async () => {
      let runs = 0;
      const loop: PollingLoop = new PollingLoop(
        async () => {
          runs += 1;
          await Promise.resolve();
          // Bounded, so that a loop that never waits fails this test instead of running forever.
          if (runs < 5) loop.wake();
          throw new Error('always');
        },
        HOUR,
        () => undefined,
      );
      loop.wake();
      await jest.advanceTimersByTimeAsync(HOUR - 1);
      expect(runs).toBe(1);
      await jest.advanceTimersByTimeAsync(1);
      expect(runs).toBe(2);
      await loop.stop();
      expect(jest.getTimerCount()).toBe(0);
    });

    it('waits a whole interval after it was woken', async () => {
      let runs = 0;
      const loop = new PollingLoop(
        () => Promise.resolve((runs += 1) < 0),
        HOUR,
        () => undefined,
      );
      loop.wake();
      await jest.advanceTimersByTimeAsync(HOUR / 2);
      loop.wake();
      await jest.advanceTimersByTimeAsync(HOUR - 1);
      expect(runs).toBe(2);
      await jest.advanceTimersByTimeAsync(1);
      expect(runs).toBe(3);
      await loop.stop();
    });

    it('ends after the execution during which it was stopped, and leaves no timer', async () => {
      let finish = (_more: boolean): void => undefined;
      const loop = new PollingLoop(
        () => new Promise<boolean>((resolve) => (finish = resolve)),
        HOUR,
        () => undefined,
      );
      loop.wake();
      let isStopped = false;
      const stopped = loop.stop().then(() => (isStopped = true));
      await jest.advanceTimersByTimeAsync(HOUR);
      expect(isStopped).toBe(false);
      finish(true);
      await stopped;
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
