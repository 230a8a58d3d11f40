import { expect, it } from 'vitest';
import { recentRuns } from './run-outcomes.ts';

const run = (status: 'completed' | 'failed' | 'running' | 'cancelled', schedule_id: string | null = 'a') => ({
  status,
  schedule_id,
});

it('shows the runs of one schedule, oldest first, and how many failed since the last that completed', () => {
  const jobs = [run('running'), run('failed'), run('completed', 'b'), run('failed'), run('completed')];
  expect(recentRuns(jobs, 'a')).toEqual({
    outcomes: ['arrived', 'failed', 'failed', 'waiting'],
    streak: 2,
  });
});

it('shows ten runs', () => {
  expect(
    recentRuns(
      Array.from({ length: 12 }, () => run('completed')),
      'a',
    ),
  ).toEqual({
    outcomes: Array(10).fill('arrived'),
    streak: 0,
  });
});
