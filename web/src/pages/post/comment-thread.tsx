import { Link, useRouterState } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { choices } from '../../choices.ts';
import { useChosen } from '../../components/use-chosen.ts';
import { Button, buttonClass, inputClass, Select } from '../../components/controls.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatCompact, formatNumber } from '../../format.ts';
import { postTexts } from '../../texts/post.ts';
import { searchTexts } from '../../texts/search.ts';
import { CorrectedSentiment } from './corrected-sentiment.tsx';
import { useThread } from './thread-queries.ts';
import { reordered, THREAD_ORDERS, type ThreadOrder, type ThreadRow, visibleRows } from './thread.ts';

const ESTIMATED_HEIGHT = 96;
/** Deeper comments are not indented further, so that narrow screens keep room for text. */
const DEEPEST_INDENT = 8;
const INDENTS = ['pl-0', 'pl-3', 'pl-6', 'pl-9', 'pl-12', 'pl-14', 'pl-16', 'pl-18', 'pl-20'];

/**
 * All stored comments of a post in thread order; only the visible ones are rendered. `counted` is the number of
 * comments that the platform reported when the post was collected.
 */
export function CommentThread({ postId, counted }: { postId: string; counted: number }) {
  const { comments, isWhole, isPending, total, loaded, error, retry } = useThread(postId);
  const { chosen: collapsed, toggle, choose: collapse } = useChosen();
  const [order, setOrder] = useState<ThreadOrder>('oldest');
  const ordered = useMemo(() => reordered(comments, order), [comments, order]);
  const rows = useMemo(() => visibleRows(ordered, collapsed), [ordered, collapsed]);

  if (isPending) return <Loading rows={4} />;
  if (error !== null && comments.length === 0) return <ErrorNote error={error} onRetry={retry} />;
  if (comments.length === 0 && counted === 0) return <Empty title={postTexts.withoutComments} />;
  if (comments.length === 0) return <Empty title={postTexts.noComments} hint={postTexts.noCommentsHint} />;
  const threads = comments.filter(({ depth }) => depth === 0).map(({ comment_id }) => comment_id);
  return (
    <section aria-labelledby="thread-title">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id="thread-title" className="text-base font-semibold">
          {postTexts.thread(formatNumber(total))}
        </h2>
        <div className="flex flex-wrap gap-2">
          <Select
            className={`${inputClass} w-auto!`}
            aria-label={postTexts.order}
            value={order}
            options={choices(THREAD_ORDERS, postTexts.orders)}
            onChange={setOrder}
          />
          <Link to="/search" search={{ of: 'comments', post_id: postId }} className={buttonClass()}>
            {postTexts.searchThread}
          </Link>
          <Button onClick={() => collapse(threads)}>{postTexts.collapseAll}</Button>
          <Button disabled={collapsed.size === 0} onClick={() => collapse([])}>
            {postTexts.expandAll}
          </Button>
        </div>
      </div>
      {!isWhole && error === null && (
        <p className="mb-2 text-sm text-muted" role="status">
          {postTexts.loadingThread(formatNumber(loaded), formatNumber(total))}
        </p>
      )}
      {isWhole && total < counted && (
        <p className="mb-2 text-sm text-muted">
          {postTexts.fewerStored(formatNumber(counted), formatNumber(counted - total))}
        </p>
      )}
      {error !== null && <ErrorNote error={error} onRetry={retry} />}
      <VirtualRows rows={rows} onToggle={toggle} />
    </section>
  );
}

/** Rendered again when its rows change, not whenever another page has been read. */
const VirtualRows = memo(function VirtualRows({
  rows,
  onToggle,
}: {
  rows: ThreadRow[];
  onToggle: (id: string) => void;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.comment.comment_id,
  });
  const wanted = useRouterState({ select: ({ location }) => location.hash });
  const shown = useRef('');
  useEffect(() => {
    // Scrolls to the comment that the address names, once it has been loaded.
    if (wanted === '' || shown.current === wanted) return;
    const index = rows.findIndex(({ comment }) => comment.comment_id === wanted);
    if (index < 0) return;
    shown.current = wanted;
    virtualizer.scrollToIndex(index, { align: 'center' });
  }, [rows, wanted, virtualizer]);
  return (
    <ol ref={list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => (
        <li
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          className="absolute top-0 left-0 w-full"
          style={{ transform: `translateY(${start - top}px)` }}
        >
          <CommentRow
            row={rows[index]!}
            isWanted={rows[index]!.comment.comment_id === wanted}
            onToggle={onToggle}
          />
        </li>
      ))}
    </ol>
  );
});

/** Scrolling renders only the rows that come into view. */
const CommentRow = memo(function CommentRow({
  row: { comment, replies, isCollapsed },
  isWanted,
  onToggle,
}: {
  row: ThreadRow;
  isWanted: boolean;
  onToggle: (id: string) => void;
}) {
  const count = formatNumber(replies);
  return (
    <div className={INDENTS[Math.min(comment.depth, DEEPEST_INDENT)]}>
      <article
        className={`border-l-2 py-2 pr-1 pl-3 [overflow-wrap:anywhere] ${isWanted ? 'border-accent bg-accent-soft' : 'border-line'}`}
      >
        <p className="flex flex-wrap items-center gap-x-2.5 text-[13px] text-muted">
          {replies > 0 && (
            <button
              type="button"
              aria-expanded={!isCollapsed}
              aria-label={
                isCollapsed
                  ? postTexts.expandThread(comment.author, count)
                  : postTexts.collapseThread(comment.author)
              }
              className="grid size-6 place-items-center rounded font-mono text-ink hover:bg-raised"
              onClick={() => onToggle(comment.comment_id)}
            >
              <span aria-hidden="true">{isCollapsed ? '+' : '−'}</span>
            </button>
          )}
          <span className="font-medium text-ink">{comment.author}</span>
          {comment.is_submitter && <span className="text-accent">{postTexts.submitter}</span>}
          <Time at={comment.created_utc} />
          <span>{searchTexts.points(formatCompact(comment.score))}</span>
          <CorrectedSentiment record={comment} postId={comment.post_id} commentId={comment.comment_id} />
        </p>
        <p dir="auto" className="mt-1 text-sm whitespace-pre-line">
          {comment.body}
        </p>
        {isCollapsed && replies > 0 && (
          <p className="mt-1 text-[13px] text-muted">{postTexts.hidden(count)}</p>
        )}
      </article>
    </div>
  );
});
