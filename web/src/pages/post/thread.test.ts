import { describe, expect, it } from 'vitest';
import { type Comment, inThreadOrder, reordered, visibleRows } from './thread.ts';

const comment = (comment_id: string, parent_id: string, depth: number): Comment =>
  ({ comment_id, parent_id, depth }) as Comment;

const COMMENTS = [
  comment('a', 'post', 0),
  comment('b', 'post', 0),
  comment('a1', 'a', 1),
  comment('b1', 'b', 1),
  comment('a11', 'a1', 2),
];

describe('a thread', () => {
  it('puts replies behind their parents', () => {
    expect(inThreadOrder(COMMENTS).map((one) => one.comment_id)).toEqual(['a', 'a1', 'a11', 'b', 'b1']);
  });

  it('is ordered by score or time among the replies to the same comment', () => {
    const at = (second: number, score: number) => ({
      score,
      created_utc: `2026-01-01T00:00:0${second}Z`,
    });
    const comments = inThreadOrder([
      { ...comment('a', 'post', 0), ...at(0, 8) },
      { ...comment('b', 'post', 0), ...at(1, 5) },
      { ...comment('b1', 'b', 1), ...at(2, 2) },
      { ...comment('b2', 'b', 1), ...at(3, 9) },
    ]);
    const idsBy = (order: 'oldest' | 'best' | 'newest') =>
      reordered(comments, order)
        .map(({ comment_id }) => comment_id)
        .join(' ');
    expect([idsBy('oldest'), idsBy('best'), idsBy('newest')]).toEqual([
      'a b b1 b2',
      'a b b2 b1',
      'b b2 b1 a',
    ]);
  });

  it('starts a thread of its own below a parent that is not stored', () => {
    expect(inThreadOrder([comment('x', 'gone', 4)])).toEqual([comment('x', 'gone', 0)]);
  });

  it('survives a comment that is its own parent', () => {
    expect(inThreadOrder([comment('x', 'x', 0)])).toHaveLength(1);
  });

  it('leaves out the replies of a collapsed comment and counts them', () => {
    const rows = visibleRows(inThreadOrder(COMMENTS), new Set(['a']));
    expect(rows.map((row) => [row.comment.comment_id, row.replies])).toEqual([
      ['a', 2],
      ['b', 1],
      ['b1', 0],
    ]);
  });
});
