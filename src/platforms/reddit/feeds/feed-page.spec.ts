import type { FeedItem } from './reddit-feed-items.js';
import { ALONE, feedPage, joinedPage } from './feed-page.js';

/** Entries one minute apart, newest first. */
const entries = (count: number, from = 1_000): FeedItem[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `t3_${from - index}`,
    row: null,
    postId: null,
    time: (from - index) * 60_000,
  }));
const minute = (number: number): Date => new Date(number * 60_000);

describe('a page of a feed', () => {
  it('ends a listing with fewer entries than a full one', () => {
    expect(feedPage(entries(24), null, undefined)).toEqual({ items: entries(24), after: null });
  });

  it('continues after its last entry', () => {
    expect(feedPage(entries(100), null, undefined)).toEqual({ items: entries(100), after: 't3_901' });
  });

  it('is cut where Reddit did not heed the entry after which it was asked', () => {
    const page = feedPage(entries(100), 't3_903', undefined);
    expect(page).toEqual({ items: entries(2, 902), after: null, isCut: true });
  });

  it('ends a pass that needs nothing older, and says how far back it is complete', () => {
    const since = minute(950);
    expect(feedPage(entries(100), null, since)).toEqual({ items: entries(100), after: null, reach: since });
    expect(feedPage(entries(100), null, minute(800)).after).toBe('t3_901');
  });
});

describe('a page of several forums', () => {
  const joined = (items: FeedItem[], all = entries(100)) => ({ items, all, isJoined: true });

  it("continues after the forum's own last entry", () => {
    expect(joinedPage(joined(entries(2, 980)), undefined).after).toBe('t3_979');
  });

  it('is followed by a page of the forum alone when it has no entry', () => {
    expect(joinedPage(joined([]), undefined)).toEqual({ items: [], after: ALONE });
  });

  it('is complete when it reaches back to the last pass, or is not full', () => {
    expect(joinedPage(joined([]), minute(950))).toEqual({ items: [], after: null, reach: minute(950) });
    expect(joinedPage(joined([], entries(24)), undefined)).toEqual({ items: [], after: null });
  });

  it('is an ordinary page when it holds one forum', () => {
    expect(joinedPage({ ...joined(entries(100)), isJoined: false }, undefined).after).toBe('t3_901');
  });
});
