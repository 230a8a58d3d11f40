import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { originalAddress, pathOfId } from '../../api/original.ts';
import { mediaQuery, postQuery } from '../../api/posts.ts';
import { useSession } from '../../api/session.ts';
import { PostLink } from '../../components/post-link.tsx';
import { Sentiment } from '../../components/sentiment.tsx';
import { SourceMark } from '../../components/source-mark.tsx';
import { textBelow, titleOf } from '../../components/text-below.ts';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { postTexts } from '../../texts/post.ts';
import { searchTexts } from '../../texts/search.ts';
import type { FoundComment, FoundPost } from './search-queries.ts';

const Markdown = lazy(() => import('../../components/markdown.tsx'));
const words = searchTexts.panel;

/** A found post or comment in full beside the list, with steps to its neighbours. */
export default function PreviewPanel({
  item,
  position,
  onStep,
  onClose,
}: {
  item: FoundPost | FoundComment;
  /** Its place in the list, from 1. */
  position: number;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}) {
  const isComment = 'comment_id' in item;
  return (
    <aside
      aria-label={words.title}
      className="fixed inset-y-0 right-0 z-20 flex w-full flex-col border-l border-line bg-surface shadow-xl sm:w-[28rem]"
    >
      <div className="flex items-center gap-1 border-b border-line px-3 py-2 text-[13px] text-muted">
        <span className="mr-auto tabular-nums">{words.position(formatNumber(position))}</span>
        <Step label={words.previous} onClick={() => onStep(-1)}>
          <ChevronUp className="size-4" />
        </Step>
        <Step label={words.next} onClick={() => onStep(1)}>
          <ChevronDown className="size-4" />
        </Step>
        <Step label={commonTexts.close} onClick={onClose}>
          <X className="size-4" />
        </Step>
      </div>
      <div className="flex-1 space-y-3 overflow-y-auto p-4 [overflow-wrap:anywhere]" tabIndex={0}>
        <PostPart postId={isComment ? item.post_id : item.id} comment={isComment ? item : null} />
      </div>
    </aside>
  );
}

function Step({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="grid size-8 place-items-center rounded-lg hover:bg-raised"
      onClick={onClick}
    >
      {children}
    </button>
  );
}

function PostPart({ postId, comment }: { postId: string; comment: FoundComment | null }) {
  const { workspace_id } = useSession();
  const post = useQuery(postQuery(workspace_id, postId)).data;
  if (post === undefined) return <p className="text-muted">{commonTexts.loading} …</p>;
  const shown = comment ?? post;
  const text = comment?.body ?? textBelow(post);
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2.5 text-[13px] text-muted">
        <SourceMark postId={postId} />
        <span className="font-medium">{post.forum}</span>
        <span>
          {searchTexts.by} {shown.author}
        </span>
        <Time at={shown.created_utc} />
      </p>
      <h2 dir="auto" className={comment === null ? 'text-base font-semibold' : 'text-[13px] text-muted'}>
        {comment === null ? titleOf(post) : searchTexts.onPostTitled(post.title)}
      </h2>
      {text !== '' && (
        <Suspense fallback={<p className="whitespace-pre-line">{text}</p>}>
          <Markdown text={text} />
        </Suspense>
      )}
      {comment === null && post.has_media && !post.is_nsfw && <Pictures postId={postId} />}
      <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
        <Sentiment label={shown.sentiment_label} score={shown.sentiment_score} />
        <span>{searchTexts.points(formatNumber(shown.score))}</span>
        {comment === null && <span>{searchTexts.comments(formatNumber(post.num_comments))}</span>}
      </p>
      <PanelLinks postId={postId} permalink={post.permalink} comment={comment} />
      <p className="text-[13px] text-muted">{words.keys}</p>
    </>
  );
}

/** The stored pictures of a post. */
function Pictures({ postId }: { postId: string }) {
  return useQuery(mediaQuery(useSession().workspace_id, postId))
    .data?.filter(({ content_type }) => content_type.startsWith('image/'))
    .map(({ id, path }, index) => (
      <img
        key={id}
        src={path}
        alt={postTexts.picture(index + 1)}
        loading="lazy"
        className="max-h-96 w-full rounded-lg bg-raised object-contain"
      />
    ));
}

/** The ways to the thread, and to the page where it was published. */
function PanelLinks({
  postId,
  permalink,
  comment,
}: {
  postId: string;
  permalink: string;
  comment: FoundComment | null;
}) {
  const original = originalAddress({
    id: postId,
    permalink: comment === null ? permalink : (pathOfId(comment.comment_id) ?? permalink),
  });
  return (
    <p className="flex flex-wrap gap-x-4">
      <span data-panel-thread>
        <PostLink postId={postId} {...(comment !== null && { commentId: comment.comment_id })}>
          {words.thread}
        </PostLink>
      </span>
      {original !== null && (
        <a
          href={original}
          target="_blank"
          rel="noreferrer noopener"
          data-panel-original
          className="text-accent"
        >
          {searchTexts.original} <span aria-hidden="true">↗</span>
        </a>
      )}
    </p>
  );
}
