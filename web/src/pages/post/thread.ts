import type { Schemas } from '../../api/client.ts';

export type Comment = Schemas['CommentListItemDto'];

export interface ThreadRow {
  comment: Comment;
  /** Number of replies below it, at any depth. */
  replies: number;
  isCollapsed: boolean;
}

/** Orders of the comments that reply to the same post or comment. */
export const THREAD_ORDERS = ['oldest', 'best', 'newest'] as const;
export type ThreadOrder = (typeof THREAD_ORDERS)[number];

const COMPARE: Record<Exclude<ThreadOrder, 'oldest'>, (one: Comment, other: Comment) => number> = {
  best: (one, other) => other.score - one.score,
  newest: (one, other) => Date.parse(other.created_utc) - Date.parse(one.created_utc),
};

/** Comments that are in thread order, oldest first, with those below the same parent in another order. */
export const reordered = (comments: readonly Comment[], order: ThreadOrder): readonly Comment[] =>
  order === 'oldest' ? comments : inThreadOrder(comments.toSorted(COMPARE[order]));

/**
 * Comments in thread order, each followed by its replies. `comments` must be all comments of a post; those below the
 * same parent keep their order. A comment whose parent is not stored starts a thread of its own.
 */
export function inThreadOrder(comments: readonly Comment[]): Comment[] {
  const ids = new Set(comments.map(({ comment_id }) => comment_id));
  const roots: Comment[] = [];
  const replies = new Map<string, Comment[]>();
  for (const comment of comments) {
    const { comment_id, parent_id } = comment;
    if (parent_id === comment_id || !ids.has(parent_id)) roots.push(comment);
    else if (!replies.get(parent_id)?.push(comment)) replies.set(parent_id, [comment]);
  }
  const ordered: Comment[] = [];
  const open = roots.map((comment) => ({ comment, depth: 0 })).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { comment, depth } = next;
    ordered.push(comment.depth === depth ? comment : { ...comment, depth });
    for (const reply of replies.get(comment.comment_id)?.toReversed() ?? [])
      open.push({ comment: reply, depth: depth + 1 });
  }
  return ordered;
}

/**
 * The visible comments of a thread. `comments` are in thread order: each is followed by its replies, which have a
 * greater depth. Replies of a collapsed comment are left out.
 */
export function visibleRows(comments: readonly Comment[], collapsed: ReadonlySet<string>): ThreadRow[] {
  const rows: ThreadRow[] = [];
  const open: ThreadRow[] = [];
  let hiddenBelow: number | null = null;
  for (const comment of comments) {
    while (open.length > 0 && open.at(-1)!.comment.depth >= comment.depth) open.pop();
    for (const ancestor of open) ancestor.replies += 1;
    if (hiddenBelow !== null && comment.depth <= hiddenBelow) hiddenBelow = null;
    const isCollapsed = collapsed.has(comment.comment_id);
    const row = { comment, replies: 0, isCollapsed };
    open.push(row);
    if (hiddenBelow !== null) continue;
    rows.push(row);
    if (isCollapsed) hiddenBelow = comment.depth;
  }
  return rows;
}
