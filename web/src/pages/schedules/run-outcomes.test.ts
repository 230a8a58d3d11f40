import { expect, it } from 'vitest';
import { recentRuns } from './run-outcomes.ts';

const run = (status: 'completed' | 'failed' | 'running' | 'cancelled') => ({ status });

it('shows the runs of a schedule, oldest first, and how many failed since the last that completed', () => {
  expect(recentRuns([run('running'), run('failed'), run('failed'), run('completed')])).toEqual({
    outcomes: ['arrived', 'failed', 'failed', 'waiting'],
    streak: 2,
  });
});

it('shows ten runs', () => {
  expect(recentRuns(Array.from({ length: 12 }, () => run('completed')))).toEqual({
    outcomes: Array(10).fill('arrived'),
    streak: 0,
  });
});
