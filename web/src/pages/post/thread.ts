import type { Schemas } from '../../api/client.ts';

export type Comment = Schemas['CommentListItemDto'];

export interface ThreadRow {
  comment: Comment;
  /** Replies below it, at any depth. */
  replies: number;
  isCollapsed: boolean;
}

/**
 * The visible comments of a thread. `comments` are in the order of the thread: each is followed by its replies, which lie
 * deeper. Replies of a collapsed comment are left out.
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
