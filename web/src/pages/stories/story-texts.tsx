import type { Schemas } from '../../api/client.ts';
import { PostLink } from '../../components/post-link.tsx';
import { excerptOf } from '../../components/plain-text.ts';
import { SourceMark } from '../../components/source-mark.tsx';
import { titleOf } from '../../components/text-below.ts';
import { Time } from '../../components/time.tsx';
import { searchTexts } from '../../texts/search.ts';
import type { StoryPage } from './stories.ts';

const EXCERPT = 200;

/** Posts and comments of a story. */
export function StoryTexts({ pages }: { pages: readonly StoryPage[] }) {
  return (
    <ul className="space-y-1.5">
      {pages.flatMap(({ posts, comments }) => [
        ...posts.map((post) => <Told key={post.id} postId={post.id} {...post} text={titleOf(post)} />),
        ...comments.map((comment) => (
          <Told
            key={comment.comment_id}
            postId={comment.post_id}
            commentId={comment.comment_id}
            {...comment}
            text={comment.body}
          />
        )),
      ])}
    </ul>
  );
}

/** A post or comment of a story, in a line. */
function Told({
  postId,
  commentId,
  text,
  author,
  created_utc,
  forum,
}: Pick<Schemas['CommentDto'], 'author' | 'created_utc'> & {
  postId: string;
  commentId?: string;
  text: string;
  forum?: string;
}) {
  return (
    <li className="flex gap-2 text-[13px] [overflow-wrap:anywhere]">
      <span className="mt-0.5">
        <SourceMark postId={postId} />
      </span>
      <span className="min-w-0">
        <PostLink postId={postId} {...(commentId !== undefined && { commentId })}>
          <span dir="auto">{excerptOf(text, EXCERPT)}</span>
        </PostLink>{' '}
        <span className="text-muted">
          {forum !== undefined && `${forum} · `}
          {searchTexts.by} {author} · <Time at={created_utc} />
        </span>
      </span>
    </li>
  );
}
