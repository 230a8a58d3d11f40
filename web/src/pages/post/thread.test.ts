import { describe, expect, it } from 'vitest';
import { type Comment, inThreadOrder, visibleRows } from './thread.ts';

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
