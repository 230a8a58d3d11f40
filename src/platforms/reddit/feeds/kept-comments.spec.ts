import type { FeedItem } from './reddit-feed-items.js';
import { KeptComments, recentComments } from './kept-comments.js';

const comment = (number: number, postId = 't3_a'): FeedItem => ({
  id: `t1_${number}`,
  row: { body: 'x' },
  postId,
  time: number * 1_000,
});
const comments = (from: number, to: number, postId?: string): FeedItem[] =>
  Array.from({ length: to - from + 1 }, (_, index) => comment(to - index, postId));
const post = (second: number) => ({ id: 't3_a', createdUtc: new Date(second * 1_000) });
const recentOf = (items: FeedItem[]) => recentComments(items, items);

describe('comments of a post', () => {
  let kept: KeptComments;
  beforeEach(() => {
    kept = new KeptComments();
  });
  const elsewhere = comments(100, 140, 't3_b');

  it('are all known when the feed of the forum reaches back to the post', () => {
    const recent = recentOf([...comments(141, 143), ...elsewhere]);
    expect(kept.countOf(post(101), recent)).toBe(3);
    expect(kept.of('t3_a')?.items.map(({ id }) => id)).toEqual(['t1_143', 't1_142', 't1_141']);
  });

  it('are all known when that feed is not full', () => {
    expect(kept.countOf(post(1), recentOf(comments(50, 60)))).toBe(11);
    expect(kept.countOf(post(1), recentOf([]))).toBe(0);
  });

  it('have to be read when the feed does not reach back, and when there is none', () => {
    expect(kept.countOf(post(100), recentOf(elsewhere))).toBe(1);
    expect(kept.countOf(post(100), recentOf([comment(141), ...elsewhere]))).toBe(2);
    expect(kept.countOf(post(100), null)).toBe(1);
    expect(kept.of('t3_a')).toBeNull();
  });

  it('are read once, and again when the feed shows another one', () => {
    kept.keep('t3_a', comments(1, 5), false);
    expect(kept.countOf(post(0), recentOf(elsewhere))).toBe(5);
    expect(kept.of('t3_a')?.items).toHaveLength(5);
    expect(kept.countOf(post(0), recentOf([comment(150), ...elsewhere]))).toBe(2);
    expect(kept.of('t3_a')).toBeNull();
  });

  it('are read once more when the feed no longer reaches back to the post', () => {
    kept.countOf(post(101), recentOf([comment(141), ...elsewhere]));
    expect(kept.countOf(post(101), recentOf(comments(200, 240, 't3_b')))).toBe(1);
    expect(kept.of('t3_a')).toBeNull();
  });
});
