import { describe, expect, it } from 'vitest';
import { midnight } from '../../format.ts';
import { bordersOf, bucketAt, endOf, gapsOf } from './buckets.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const day = (number: number): number => midnight(new Date(2026, 9, 1, 12), number).getTime();
const lineOf = (...starts: number[]) => ({
  buckets: starts.map((start) => ({ start: new Date(start).toISOString(), count: 1, mean_sentiment: null })),
});

describe('the borders of buckets', () => {
  it('are those of all lines, and the end of the last bucket', () => {
    expect(bordersOf([lineOf(day(0), day(1)), lineOf(day(1), day(2))], 'day')).toEqual([0, 1, 2, 3].map(day));
    expect(bordersOf([], 'day')).toEqual([]);
  });

  it('have no gap between lines of different times', () => {
    expect(bordersOf([lineOf(day(0)), lineOf(day(4))], 'day')).toEqual([0, 1, 2, 3, 4, 5].map(day));
  });

  it('begin where the service left older buckets of a line out', () => {
    const many = (from: number, count: number) =>
      lineOf(...Array.from({ length: count }, (_, index) => from + index * HOUR));
    const cut = many(5 * HOUR, 1_990);
    expect(bordersOf([cut, lineOf(0)], 'hour')[0]).toBe(5 * HOUR);
    expect(bordersOf([many(5 * HOUR, 1_989), lineOf(0)], 'hour')[0]).toBe(0);
  });

  it('are at most about two thousand, however far lines are apart', () => {
    const borders = bordersOf([lineOf(0, 1_000_000 * HOUR), lineOf(999_000 * HOUR)], 'hour');
    expect(borders[0]).toBe(999_000 * HOUR);
    expect(borders).toHaveLength(1_002);
  });

  it('follow the calendar', () => {
    const first = (month: number): number => new Date(2026, month, 1).getTime();
    for (let month = 0; month < 12; month += 1) expect(endOf(first(month), 'month')).toBe(first(month + 1));
    expect(endOf(day(4), 'week')).toBe(day(11));
    expect(endOf(day(4), 'hour')).toBe(day(4) + HOUR);
  });
});

describe('buckets that are not whole', () => {
  const borders = [0, 1, 2, 3].map(day);

  it('are those that began before the period, and the one that is not over', () => {
    const counted = {
      created_after: new Date(day(0) + HOUR).toISOString(),
      created_before: new Date(day(2) + 5 * HOUR).toISOString(),
    };
    expect(gapsOf(borders, counted, day(2) + 4 * HOUR)).toEqual(['begun', null, 'unfinished']);
  });

  it('are none of what is long over', () => {
    expect(gapsOf(borders, {}, day(3))).toEqual([null, null, null]);
    expect(gapsOf(borders, {}, day(3) - 1)).toEqual([null, null, 'unfinished']);
  });
});

it('finds the bucket of a time', () => {
  const borders = [0, DAY, 2 * DAY];
  expect([-1, 0, DAY - 1, DAY, 2 * DAY].map((time) => bucketAt(borders, time))).toEqual([-1, 0, 0, 1, -1]);
});
