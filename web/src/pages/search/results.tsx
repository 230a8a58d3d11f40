import { memo } from 'react';
import { MarkedText } from '../../components/marked-text.tsx';
import { PostLink } from '../../components/post-link.tsx';
import { Sentiment } from '../../components/sentiment.tsx';
import { Time } from '../../components/time.tsx';
import { formatCompact } from '../../format.ts';
import { texts } from '../../texts.ts';
import type { FoundComment, FoundPost } from './search-queries.ts';

const EXCERPT = 280;

/** A text or, if the search found words in it, the fragments around them. */
function Excerpt({ fragment, text }: { fragment: string | undefined; text: string }) {
  if (fragment !== undefined) return <MarkedText fragment={fragment} />;
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
}

const card = 'rounded-xl border border-line bg-surface p-4 [overflow-wrap:anywhere]';
const meta = 'flex flex-wrap gap-x-3 gap-y-0.5 text-[13px] text-muted';

/** A found post. */
export const PostResult = memo(function PostResult({ post }: { post: FoundPost }) {
  return (
    <li className={card}>
      <article>
        <h2 dir="auto" className="font-semibold">
          <PostLink postId={post.id} className="text-ink no-underline hover:underline">
            <Excerpt fragment={post.highlights?.title} text={post.title} />
          </PostLink>
        </h2>
        {post.selftext !== '' && (
          <p dir="auto" className="mt-1 line-clamp-3 text-sm">
            <Excerpt fragment={post.highlights?.selftext} text={post.selftext} />
          </p>
        )}
        <p className={`mt-2 ${meta}`}>
          <span className="font-medium">{post.forum}</span>
          <span>
            {texts.search.by} {post.author}
          </span>
          <Time at={post.created_utc} />
          <span>{texts.search.points(formatCompact(post.score))}</span>
          <span>{texts.search.comments(formatCompact(post.num_comments))}</span>
          <Sentiment label={post.sentiment_label} score={post.sentiment_score} />
        </p>
      </article>
    </li>
  );
});

/** A found comment. */
export const CommentResult = memo(function CommentResult({ comment }: { comment: FoundComment }) {
  return (
    <li className={card}>
      <article>
        <p dir="auto" className="line-clamp-4 text-sm whitespace-pre-line">
          <Excerpt fragment={comment.highlights?.body} text={comment.body} />
        </p>
        <p className={`mt-2 ${meta}`}>
          <span>
            {texts.search.by} {comment.author}
          </span>
          <PostLink postId={comment.post_id} commentId={comment.comment_id}>
            {texts.search.onPost}
          </PostLink>
          <Time at={comment.created_utc} />
          <span>{texts.search.points(formatCompact(comment.score))}</span>
          <Sentiment label={comment.sentiment_label} score={comment.sentiment_score} />
        </p>
      </article>
    </li>
  );
});
