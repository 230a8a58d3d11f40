import { describe, expect, it } from 'vitest';
import type { Story } from '../stories/stories.ts';
import { eventsOf, type FoundSpike } from './trend-events.ts';

const DAY = 86_400_000;
const borders = Array.from({ length: 31 }, (_, day) => day * DAY);
const at = (day: number): string => new Date(day * DAY).toISOString();
const spike = (day: number, score: number): FoundSpike => ({
  asked: { q: 'a', of: 'posts' },
  line: 0,
  spike: { start: at(day), end: at(day + 1), count: 9, expected: 1, score, top_keywords: [], top_posts: [] },
});
const story = (id: string, size: number, from: number, to: number): Story => ({
  ...{ id, title: id, size, first_at: at(from), last_at: at(to), growth: 0 },
  ...{ sources: [], forums: [], keywords: [], posts: [] },
});
const named = (events: ReturnType<typeof eventsOf>): string[] =>
  events.map((one) => `${one.number} ${one.kind === 'story' ? one.story.id : 'spike'} ${one.at}`);

describe('what the chart marks', () => {
  it('is numbered in the order of time, stories where they began', () => {
    expect(named(eventsOf(borders, [spike(20, 5), spike(3, 9)], [story('recall', 12, 10.5, 12)]))).toEqual([
      '1 spike 3',
      '2 recall 10',
      '3 spike 20',
    ]);
  });

  it('leaves out what is outside, and subjects that are always written about', () => {
    const stories = [story('always', 500, 0, 30), story('old', 50, -3, 2), story('short', 3, 4, 4.5)];
    expect(named(eventsOf(borders, [spike(31, 5), spike(-1, 5)], stories))).toEqual(['1 short 4']);
    expect(eventsOf([], [spike(1, 5)], stories)).toEqual([]);
  });

  it('keeps the strongest of many', () => {
    const spikes = Array.from({ length: 10 }, (_, day) => spike(day, day));
    const stories = Array.from({ length: 10 }, (_, day) => story(`s${day}`, 10 + day, day, day + 1));
    const events = eventsOf(borders, spikes, stories);
    expect(events.filter(({ kind }) => kind === 'spike').map((one) => one.at)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(events.filter(({ kind }) => kind === 'story').map((one) => one.at)).toEqual([6, 7, 8, 9]);
  });
});
