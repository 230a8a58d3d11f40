import { claimLimits, startsAlone, mayResume, SLOTS } from './claim-limits.js';
import type { ClaimedJob } from './job-executions.repository.js';

const running = (workspaceId: string, count: number, changes: Partial<ClaimedJob> = {}): ClaimedJob[] =>
  Array.from({ length: count }, (_, index) => ({
    workspaceId,
    jobId: `${workspaceId}${index}`,
    isSmall: true,
    hasExpired: false,
    ...changes,
  }));
const large = { isSmall: false };
const idle = { small: 0, large: 0 };

describe('claimLimits', () => {
  it('lets any workspace start any job in an idle process', () => {
    expect(claimLimits([], idle)).toEqual({ allowsLarge: true, withoutSmall: [], withoutLarge: [] });
  });

  it('starts nothing without a free slot', () => {
    expect(claimLimits([], { small: SLOTS, large: 0 })).toBeNull();
    expect(claimLimits([], { small: SLOTS - 6, large: 6 })).toBeNull();
  });

  it('keeps slots of a process for small jobs', () => {
    expect(claimLimits([], { small: 0, large: 5 })?.allowsLarge).toBe(true);
    expect(claimLimits([], { small: 0, large: 6 })?.allowsLarge).toBe(false);
  });

  it('bounds the jobs of a workspace over all processes', () => {
    const executions = [...running('a', 6), ...running('b', 5), ...running('b', 4, large)];
    expect(claimLimits(executions, idle)).toEqual({
      allowsLarge: true,
      withoutSmall: ['a'],
      withoutLarge: ['b'],
    });
  });

  it('does not count executions whose lease has expired', () => {
    expect(claimLimits(running('a', 6, { hasExpired: true }), idle)?.withoutSmall).toEqual([]);
  });

  it('reserves the last slots of a process for workspaces that have no running job', () => {
    const executions = [...running('a', 1), ...running('b', 1, large)];
    expect(claimLimits(executions, { small: SLOTS - 5, large: 0 })?.withoutSmall).toEqual([]);
    expect(claimLimits(executions, { small: SLOTS - 4, large: 0 })).toEqual({
      allowsLarge: true,
      withoutSmall: ['a', 'b'],
      withoutLarge: ['a', 'b'],
    });
  });
});

describe('mayResume', () => {
  const [lost] = running('a', 1, { hasExpired: true });
  const [lostLarge] = running('a', 1, { hasExpired: true, ...large });

  it('allows jobs whose lease has expired while there is a slot for them', () => {
    expect(mayResume(lost!, { small: 5, large: 6 })).toBe(true);
    expect(mayResume(lost!, { small: 6, large: 6 })).toBe(false);
    expect(mayResume(lostLarge!, { small: 0, large: 5 })).toBe(true);
    expect(mayResume(lostLarge!, { small: 0, large: 6 })).toBe(false);
    expect(mayResume({ ...lost!, hasExpired: false }, idle)).toBe(false);
  });
});

describe('startsAlone', () => {
  it.each([
    [0, 0, false],
    [1, 0, true],
    [2, 29_999, true],
    [1, 30_000, false],
  ])('of a job whose worker died %s times, %s ms after its claim, is %s', (workerDeaths, later, expected) => {
    const claimedAt = new Date(1_000_000);
    expect(startsAlone({ workerDeaths, claimedAt }, new Date(1_000_000 + later))).toBe(expected);
  });
});
