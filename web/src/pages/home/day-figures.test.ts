import { expect, it } from 'vitest';
import { dayFigures, meanSentiment, periodsAt } from './day-figures.ts';

const { since, before } = periodsAt(new Date('2026-11-27T10:30:00Z'));
const bucket = (start: string, count: number, mean_sentiment: number | null) => ({
  start,
  count,
  mean_sentiment,
});

it('compares the last 24 hours with the 24 before, in whole hours', () => {
  expect({ since, before }).toEqual({
    since: '2026-11-26T11:00:00.000Z',
    before: '2026-11-25T11:00:00.000Z',
  });
});

it('sums up the hours of the day and of the day before', () => {
  const figures = dayFigures(
    [
      bucket('2026-11-26T10:00:00Z', 4, -0.5),
      bucket('2026-11-26T11:00:00Z', 1, 1),
      bucket('2026-11-27T10:00:00Z', 3, 0),
      bucket('2026-11-27T09:00:00Z', 0, null),
    ],
    since,
  );
  expect(figures).toMatchObject({ count: 4, previousCount: 4, sentiment: 1, previousSentiment: -2 });
  expect([figures.hours[0], figures.hours[23], figures.hours.length]).toEqual([1, 3, 24]);
});

it('averages the sentiment of posts and comments by their number', () => {
  const few = dayFigures([bucket('2026-11-27T10:00:00Z', 1, 1)], since);
  const many = dayFigures([bucket('2026-11-27T10:00:00Z', 3, 0)], since);
  expect(meanSentiment([few, many])).toEqual([0.25, null]);
});
