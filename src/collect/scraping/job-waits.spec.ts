import { JobWaits } from './job-waits.js';

describe('the waits of a job', () => {
  let now: number;
  let waits: JobWaits;
  beforeEach(() => {
    now = 10_000;
    waits = new JobWaits(() => now);
  });
  const until = new Date('2026-11-22T10:00:00.000Z');
  const begin = (cause: string) => waits.begin({ reason: 'budget', until, cause });

  it('are shown after a second and until they end', () => {
    const end = begin('the budget is used up');
    now += 999;
    expect(waits.current).toBeNull();
    now += 1;
    expect(waits.current).toEqual({
      reason: 'budget',
      until: until.toISOString(),
      cause: 'the budget is used up',
    });
    end();
    expect(waits.current).toBeNull();
  });

  it('are not shown while other requests succeed', () => {
    begin('the first');
    now += 5_000;
    waits.succeeded();
    expect(waits.current).toBeNull();
    now += 1_000;
    expect(waits.current).not.toBeNull();
  });

  it('show the oldest of several, in its current state', () => {
    const retry = { reason: 'retry' as const, until: null as Date | null, cause: 'retry 1' };
    waits.begin(retry);
    begin('the second');
    now += 1_000;
    retry.cause = 'retry 2';
    expect(waits.current).toEqual({ reason: 'retry', until: null, cause: 'retry 2' });
  });
});
