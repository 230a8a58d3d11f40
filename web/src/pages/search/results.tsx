import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { originalAddress, pathOfId } from '../../api/original.ts';
import { mediaQuery, postQuery } from '../../api/posts.ts';
import { useSession } from '../../api/session.ts';
import { useInView } from '../../components/in-view.ts';
import { MarkedText } from '../../components/marked-text.tsx';
import { excerptOf, withoutMarkup } from '../../components/plain-text.ts';
import { PostLink } from '../../components/post-link.tsx';
import { Sentiment } from '../../components/sentiment.tsx';
import { SourceMark } from '../../components/source-mark.tsx';
import { textBelow, titleOf } from '../../components/text-below.ts';
import { Time } from '../../components/time.tsx';
import { formatCompact } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import type { FoundComment, FoundPost } from './search-queries.ts';

const EXCERPT = 280;

/** A text or, if the search found words in it, the fragments around them; without markup. */
function Excerpt({ fragment, text }: { fragment: string | undefined; text: string }) {
  if (fragment !== undefined) return <MarkedText fragment={withoutMarkup(fragment)} />;
  return withoutMarkup(excerptOf(text, EXCERPT));
}

const meta = 'flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5 text-[13px] text-muted';

/** A found post or comment; the selected one is that of the side panel. */
function Result({
  id,
  isSelected = false,
  onOpen,
  children,
}: {
  id: string;
  isSelected?: boolean;
  /** Opens the side panel, where there is one. */
  onOpen?: ((id: string) => void) | undefined;
  children: ReactNode;
}) {
  return (
    <Card
      as="li"
      data-result={id}
      aria-current={isSelected || undefined}
      look={isSelected ? 'selected' : 'plain'}
      className="p-3.5 [overflow-wrap:anywhere]"
      onClick={(event) => {
        // A click on the card itself opens the panel; links and buttons, and selected text, keep their meaning.
        const isOwn = event.target instanceof Element && event.target.closest('a, button') === null;
        if (isOwn && getSelection()?.isCollapsed !== false) onOpen?.(id);
      }}
    >
      {children}
    </Card>
  );
}

function FilterLink({
  name,
  value,
  className = '',
}: {
  name: 'forum' | 'author';
  value: string;
  className?: string;
}) {
  return (
    <Link
      to="/search"
      search={(state) => ({ ...state, [name]: value, preview: undefined })}
      title={searchTexts.only(value)}
      className={`text-muted no-underline hover:text-accent hover:underline ${className}`}
    >
      {value}
    </Link>
  );
}

function Outside({ address }: { address: string | null }) {
  if (address === null) return null;
  return (
    <a
      href={address}
      target="_blank"
      rel="noreferrer noopener"
      data-original
      className="text-muted no-underline hover:text-accent hover:underline"
    >
      {searchTexts.original} <span aria-hidden="true">↗</span>
    </a>
  );
}

function OpenPanel({
  id,
  name,
  onOpen,
}: {
  id: string;
  name: string;
  onOpen?: ((id: string) => void) | undefined;
}) {
  return (
    <button
      type="button"
      aria-label={searchTexts.previewOf(name)}
      className="ml-auto rounded px-1 text-muted hover:text-accent hover:underline max-lg:hidden"
      onClick={() => onOpen?.(id)}
    >
      {searchTexts.preview}
    </button>
  );
}

/** A found post. */
export const PostResult = memo(function PostResult({
  post,
  isSelected = false,
  onOpen,
}: {
  post: FoundPost;
  isSelected?: boolean;
  /** Opens the side panel, where there is one. */
  onOpen?: ((id: string) => void) | undefined;
}) {
  const path = pathOfId(post.id);
  const text = textBelow(post);
  const title = titleOf(post);
  return (
    <Result id={post.id} isSelected={isSelected} onOpen={onOpen}>
      <article className="flex gap-3">
        <div className="min-w-0 flex-1">
          <p className={meta}>
            <SourceMark postId={post.id} />
            <FilterLink name="forum" value={post.forum} className="font-medium" />
            <span>
              {searchTexts.by} <FilterLink name="author" value={post.author} />
            </span>
            <Time at={post.created_utc} />
          </p>
          <h2 dir="auto" className="mt-1 text-[15px] leading-snug font-semibold">
            <PostLink postId={post.id} className="text-ink no-underline hover:underline">
              {post.highlights?.title === undefined || title !== post.title ? (
                title
              ) : (
                <MarkedText fragment={post.highlights.title} />
              )}
            </PostLink>
          </h2>
          {text !== '' && (
            <p dir="auto" className="mt-1 line-clamp-3">
              <Excerpt fragment={post.highlights?.selftext} text={text} />
            </p>
          )}
          <p className={`mt-1.5 ${meta}`}>
            <Sentiment label={post.sentiment_label} score={post.sentiment_score} />
            <span>{searchTexts.points(formatCompact(post.score))}</span>
            <span>{searchTexts.comments(formatCompact(post.num_comments))}</span>
            <Outside address={path === null ? null : originalAddress({ id: post.id, permalink: path })} />
            <OpenPanel id={post.id} name={title} onOpen={onOpen} />
          </p>
        </div>
        {(post.post_type === 'image' || post.post_type === 'video') && <Thumbnail postId={post.id} />}
      </article>
    </Result>
  );
});

/** A found comment. */
export const CommentResult = memo(function CommentResult({
  comment,
  isSelected = false,
  onOpen,
}: {
  comment: FoundComment;
  isSelected?: boolean;
  /** Opens the side panel, where there is one. */
  onOpen?: ((id: string) => void) | undefined;
}) {
  const path = pathOfId(comment.comment_id) ?? comment.post_permalink;
  return (
    <Result id={comment.comment_id} isSelected={isSelected} onOpen={onOpen}>
      <article>
        <p className={meta}>
          <SourceMark postId={comment.post_id} />
          <span>
            {searchTexts.by} <FilterLink name="author" value={comment.author} />
          </span>
          <Time at={comment.created_utc} />
          <ParentTitle comment={comment} />
        </p>
        <p dir="auto" className="mt-1 line-clamp-4 whitespace-pre-line">
          <Excerpt fragment={comment.highlights?.body} text={comment.body} />
        </p>
        <p className={`mt-1.5 ${meta}`}>
          <Sentiment label={comment.sentiment_label} score={comment.sentiment_score} />
          <span>{searchTexts.points(formatCompact(comment.score))}</span>
          <Outside address={originalAddress({ id: comment.post_id, permalink: path })} />
          <OpenPanel id={comment.comment_id} name={searchTexts.commentOf(comment.author)} onOpen={onOpen} />
        </p>
      </article>
    </Result>
  );
});

/** The title and the forum of a comment's post. */
function ParentTitle({ comment: { post_id, comment_id, post } }: { comment: FoundComment }) {
  return (
    <span className="min-w-0">
      <PostLink postId={post_id} commentId={comment_id}>
        {post ? searchTexts.onPostTitled(post.title) : searchTexts.onPost}
      </PostLink>
      {post && (
        <>
          {' '}
          {searchTexts.in} <FilterLink name="forum" value={post.forum} />
        </>
      )}
    </span>
  );
}

/** The first stored picture of a post, read when the post is on the screen; blurred if it is for adults. */
function Thumbnail({ postId }: { postId: string }) {
  const { workspace_id } = useSession();
  const [ref, wasSeen] = useInView<HTMLDivElement>();
  const post = useQuery({ ...postQuery(workspace_id, postId), enabled: wasSeen, retry: false });
  const media = useQuery({
    ...mediaQuery(workspace_id, postId),
    enabled: post.data?.has_media === true,
    retry: false,
  });
  const picture = media.data?.find(({ content_type }) => content_type.startsWith('image/'));
  const isHidden = post.data?.is_nsfw === true || post.data?.is_spoiler === true;
  return (
    <div ref={ref} className="size-18 shrink-0 overflow-hidden rounded-lg bg-raised">
      {picture !== undefined && <Picture path={picture.path} isHidden={isHidden} />}
    </div>
  );
}

function Picture({ path, isHidden }: { path: string; isHidden: boolean }) {
  return (
    <img
      src={path}
      alt=""
      loading="lazy"
      className={`size-full object-cover ${isHidden ? 'scale-110 blur-md' : ''}`}
    />
  );
}
