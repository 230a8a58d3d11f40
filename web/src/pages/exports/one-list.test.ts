import { describe, expect, it } from 'vitest';
import { type Entry, nextToRead, oneList } from './one-list.ts';

const part = (name: string, days: readonly number[], hasMore = false) => ({
  entries: days.map((day) => ({ id: `${name}${day}`, createdAt: `2026-11-0${day}` }) as Entry),
  hasMore,
});

describe('exports and datasets as one list', () => {
  it('are ordered by time, newest first', () => {
    const list = oneList([part('e', [9, 4]), part('d', [7, 1])]);
    expect(list.map(({ id }) => id)).toEqual(['e9', 'd7', 'e4', 'd1']);
    expect(nextToRead([part('e', [9, 4]), part('d', [7, 1])])).toBe(-1);
  });

  it('end where one of them goes on unread, which is read next', () => {
    const parts = [part('e', [9, 7], true), part('d', [8, 3], true)];
    expect(oneList(parts).map(({ id }) => id)).toEqual(['e9', 'd8', 'e7']);
    expect(nextToRead(parts)).toBe(0);
    expect(nextToRead([part('e', [9, 7, 2], true), parts[1]!])).toBe(1);
  });
});
