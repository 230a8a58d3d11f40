import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { sourceName } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { PostLink } from '../../components/post-link.tsx';
import { excerptOf } from '../../components/plain-text.ts';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { SourceMark } from '../../components/source-mark.tsx';
import { titleOf } from '../../components/text-below.ts';
import { Time } from '../../components/time.tsx';
import { formatNumber, formatSigned } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { storiesTexts } from '../../texts/stories.ts';
import { type Story, storyPostsQuery } from './stories.ts';

const words = storiesTexts;
const COLUMNS = 6;
const EXCERPT = 200;
const number = 'py-2 pl-3 text-right align-top tabular-nums';
/** Columns for which a phone has no room. */
const wide = 'max-md:hidden';

/** Stories in a table, where `isShort` with few columns; each opens to its posts and comments. */
export function StoryTable({ stories, isShort = false }: { stories: readonly Story[]; isShort?: boolean }) {
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-medium">{words.story}</th>
          <th className="py-2 pl-3 text-right font-medium">{words.size}</th>
          <th
            className="py-2 pl-3 text-right font-medium whitespace-nowrap max-sm:hidden"
            title={words.growthHint}
          >
            {words.growth}
          </th>
          {!isShort && (
            <>
              <th className={`py-2 pl-3 font-medium ${wide}`}>{words.sources}</th>
              <th className={`py-2 pl-3 text-right font-medium ${wide}`}>{words.first}</th>
              <th className="py-2 pl-3 text-right font-medium">{words.last}</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {stories.map((story) => (
          <StoryRows key={story.id} story={story} isShort={isShort} />
        ))}
      </tbody>
    </table>
  );
}

function StoryRows({ story, isShort }: { story: Story; isShort: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { id, title, size, growth, sources, first_at, last_at, keywords } = story;
  return (
    <>
      <tr className={isOpen ? '' : 'border-b border-line last:border-0'}>
        <td className="py-2 align-top">
          <button
            type="button"
            aria-expanded={isOpen}
            className="flex w-full gap-1 text-left hover:underline"
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronRight
              aria-hidden="true"
              className={`mt-0.5 size-4 shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
            />
            <span dir="auto" className="line-clamp-2 min-w-0 font-medium [overflow-wrap:anywhere]">
              {title}
            </span>
          </button>
          {!isShort && keywords.length > 0 && (
            <p className="mt-0.5 line-clamp-1 pl-5 text-[13px] text-muted [overflow-wrap:anywhere]">
              {words.about(keywords.join(', '))}
            </p>
          )}
        </td>
        <td className={number}>{formatNumber(size)}</td>
        <td className={`${number} max-sm:hidden ${growth > 0 ? 'text-fresh' : 'text-muted'}`}>
          {formatSigned(growth)}
        </td>
        {!isShort && (
          <>
            <td className={`py-2 pl-3 align-top ${wide}`}>{sources.map(sourceName).join(', ')}</td>
            <td className={`${number} whitespace-nowrap text-muted ${wide}`}>
              <Time at={first_at} />
            </td>
            <td className={`${number} text-muted sm:whitespace-nowrap`}>
              <Time at={last_at} />
            </td>
          </>
        )}
      </tr>
      {isOpen && (
        <tr className="border-b border-line last:border-0">
          <td colSpan={isShort ? COLUMNS / 2 : COLUMNS} className="pb-3 pl-5">
            <StoryPosts id={id} />
          </td>
        </tr>
      )}
    </>
  );
}

/** All posts and comments of a story. */
function StoryPosts({ id }: { id: string }) {
  const { workspace_id } = useSession();
  const query = useInfiniteQuery(storyPostsQuery(workspace_id, id));
  return (
    <>
      <QueryView query={query} rows={1}>
        {({ pages }) => (
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
        )}
      </QueryView>
      <LoadMore query={query} />
    </>
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
