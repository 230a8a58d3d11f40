import { Card } from '../../components/card.tsx';
import { originalAddress, sourceOf } from '../../api/original.ts';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useCanGoBack, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { postQuery } from '../../api/posts.ts';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Facts } from '../../components/facts.tsx';
import { isWebAddress, OutsideLink } from '../../components/outside-link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty, Loading } from '../../components/states.tsx';
import { textBelow } from '../../components/text-below.ts';
import { Time } from '../../components/time.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { navigationTexts } from '../../texts/navigation.ts';
import { postTexts } from '../../texts/post.ts';
import { searchTexts } from '../../texts/search.ts';
import { CorrectedSentiment } from './corrected-sentiment.tsx';
import { CommentThread } from './comment-thread.tsx';
import { mediaQuery, PostMedia } from './post-media.tsx';
import { beginningQuery } from './thread-queries.ts';
import { keys } from '../../api/keys.ts';

const ScoreHistory = lazy(() => import('./score-history.tsx'));

type Post = Schemas['PostViewDto'];
const route = getRouteApi('/posts/$postId');

export function PostPage() {
  const { postId } = route.useParams();
  const { workspace_id } = useSession();
  const post = useQuery({ ...postQuery(workspace_id, postId), staleTime: 0 });
  usePrefetchQuery(beginningQuery(workspace_id, postId));
  // How many files are stored decides what is below them.
  const hasMedia = post.data?.has_media === true;
  const media = useQuery({ ...mediaQuery(workspace_id, postId), enabled: hasMedia });
  if (hasMedia && media.isPending)
    return (
      <Page title={post.data!.title} hasOwnHeading>
        <Loading />
      </Page>
    );
  if (post.data === undefined)
    return (
      <Page title={navigationTexts.search} hideTitle>
        <QueryView
          query={post}
          missing={
            <Empty title={postTexts.notFound}>
              <Back />
            </Empty>
          }
        >
          {() => null}
        </QueryView>
      </Page>
    );
  return (
    <Page title={post.data.title} hasOwnHeading>
      <div className="mx-auto max-w-3xl">
        <Back />
        <PostView post={post.data} />
        <Suspense>
          <ScoreHistory postId={postId} />
        </Suspense>
        <Annotations postId={postId} />
        <CommentThread key={postId} postId={postId} counted={post.data.num_comments} />
      </div>
    </Page>
  );
}

/**
 * Returns to the page from which the post was opened, in its previous state, or to a new search if it was opened by its
 * address.
 */
function Back() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const from = useRouterState({ select: ({ location }) => location.state.from });
  const page = from?.split('/')[1] ?? '';
  if (canGoBack)
    return (
      <Button look="quiet" className="mb-3 -ml-3" onClick={() => router.history.back()}>
        ← {postTexts.backTo[page] ?? postTexts.back}
      </Button>
    );
  return (
    <Link to="/search" className="mb-3 inline-block text-sm text-accent">
      {commonTexts.toSearch}
    </Link>
  );
}

function PostView({ post }: { post: Post }) {
  return (
    <Card as="article" className="mb-7 p-4 [overflow-wrap:anywhere] sm:p-6">
      <p className="mb-2 flex flex-wrap gap-x-3 text-[13px] text-muted">
        <Link to="/search" search={{ forum: post.forum }} className="font-medium text-accent">
          {post.forum}
        </Link>
        <span>
          {searchTexts.by}{' '}
          <Link to="/search" search={{ author: post.author }} className="text-accent">
            {post.author}
          </Link>
        </span>
        <Time at={post.created_utc} />
        {post.flair !== '' && <span className="rounded bg-raised px-1.5">{post.flair}</span>}
        {post.is_nsfw && <span className="text-bad">{postTexts.flags.nsfw}</span>}
        {post.is_spoiler && <span className="text-warn">{postTexts.flags.spoiler}</span>}
      </p>
      <h1 dir="auto" className="text-xl font-semibold tracking-tight">
        {post.title}
      </h1>
      {textBelow(post) !== '' && (
        <p dir="auto" className="mt-3 whitespace-pre-line">
          {textBelow(post)}
        </p>
      )}
      {post.has_media && <PostMedia post={post} />}
      <p className="mt-4 flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
        <span>{searchTexts.points(formatNumber(post.score))}</span>
        <span>{postTexts.ratio(formatPercent(post.upvote_ratio))}</span>
        <span>{searchTexts.comments(formatNumber(post.num_comments))}</span>
        <CorrectedSentiment record={post} postId={post.id} />
        <span>
          {postTexts.collected} <Time at={post.scraped_at} />
        </span>
      </p>
      <PostOutside post={post} />
      {post.keywords.length > 0 && <PostKeywords keywords={post.keywords} />}
    </Card>
  );
}

/** Where the post was published, and the page that it links to. */
function PostOutside({ post }: { post: Post }) {
  const original = originalAddress(post);
  const linked = post.post_type === 'link' && post.url !== null && isWebAddress(post.url) ? post.url : null;
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 text-sm">
      {original !== null && <OutsideLink address={original}>{postTexts.original}</OutsideLink>}
      {sourceOf(post.id) === 'synthetic' && <span className="text-muted">{postTexts.synthetic}</span>}
      {linked !== null && (
        <OutsideLink address={linked}>{`${postTexts.link}: ${new URL(linked).hostname}`}</OutsideLink>
      )}
    </p>
  );
}

function PostKeywords({ keywords }: Pick<Post, 'keywords'>) {
  return (
    <div className="mt-4">
      <h2 className="sr-only">{postTexts.keywords}</h2>
      <ul className="flex flex-wrap gap-1.5">
        {keywords.map((keyword) => (
          <li key={keyword}>
            <Link
              to="/search"
              search={{ keyword }}
              className="block rounded-full bg-raised px-2.5 py-0.5 text-[13px] text-ink no-underline hover:underline"
            >
              {keyword}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The annotations of plugins on the post. */
function Annotations({ postId }: { postId: string }) {
  const { workspace_id } = useSession();
  const annotations = useQuery({
    queryKey: keys.annotations(workspace_id, postId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}/annotations', {
          params: { path: { workspace_id, post_id: postId } },
        }),
      ),
  });
  const facts = Object.entries(annotations.data ?? {});
  if (facts.length === 0) return null;
  return (
    <Panel title={postTexts.annotations}>
      <Facts
        facts={facts.map(
          ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        )}
      />
    </Panel>
  );
}
