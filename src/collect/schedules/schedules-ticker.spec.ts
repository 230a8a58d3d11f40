import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DueClaimer } from './due-claimer.js';
import { JobEnqueuer } from './job-enqueuer.js';
import { SchedulesTicker } from './schedules-ticker.js';

describe('SchedulesTicker', () => {
  let claims: { mayContinue: () => boolean; end: (error?: Error) => void }[];
  let ticker: SchedulesTicker;

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    claims = [];
    const claimer: Pick<DueClaimer, 'claimDue'> = {
      claimDue: (mayContinue) =>
        new Promise((resolve, reject) => {
          claims.push({ mayContinue, end: (error) => (error ? reject(error) : resolve(0)) });
        }),
    };
    ticker = new SchedulesTicker(claimer as DueClaimer);
  });

  it('runs one claim at a time and continues after a failure', async () => {
    const first = ticker.tick();
    await ticker.tick();
    expect(claims).toHaveLength(1);
    claims[0]!.end(new Error('away'));
    await first;
    void ticker.tick();
    expect(claims).toHaveLength(2);
    claims[1]!.end();
  });

  it('continues a claim for less than ten seconds', () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(500);
    void ticker.tick();
    const mayContinueAt = (time: number): boolean => {
      now.mockReturnValue(time);
      return claims[0]!.mayContinue();
    };
    expect([500, 10_499, 10_500].map(mayContinueAt)).toEqual([true, true, false]);
    now.mockRestore();
  });

  it('completes the claim in progress on shutdown and starts no other', async () => {
    void ticker.tick();
    expect(claims[0]!.mayContinue()).toBe(true);
    const stopped = ticker.beforeApplicationShutdown();
    expect(claims[0]!.mayContinue()).toBe(false);
    claims[0]!.end();
    await stopped;
    await ticker.tick();
    expect(claims).toHaveLength(1);
  });
});

describe('JobEnqueuer', () => {
  it('queues at most 10,000 jobs and drops further ones', async () => {
    let enqueued = 0;
    let resume: () => void;
    const resumed = new Promise<void>((resolve) => (resume = resolve));
    const enqueuer = new JobEnqueuer({
      enqueue: async () => {
        enqueued += 1;
        await resumed;
        return true;
      },
    });
    const jobs = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ workspaceId: 'w', id: `${id}` }));
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    enqueuer.enqueue(jobs(10_000));
    await turn();
    expect(enqueued).toBe(16);
    enqueuer.enqueue(jobs(100));
    resume!();
    for (let before = 0; before < enqueued; await turn()) before = enqueued;
    expect(enqueued).toBe(10_016);
  });
});
