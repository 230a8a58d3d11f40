import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sourceName } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { excerptOf } from '../../components/plain-text.ts';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Settled } from '../../components/settled.tsx';
import { ShortList } from '../../components/short-list.tsx';
import { Empty, Loading } from '../../components/states.tsx';
import { titleOf } from '../../components/text-below.ts';
import { Time } from '../../components/time.tsx';
import { formatNumber, formatSigned } from '../../format.ts';
import { storiesTexts } from '../../texts/stories.ts';
import { storiesQuery, type Story, type StoryPage as Texts, storyPostsQuery } from './stories.ts';
import type { StoriesState } from './stories-state.ts';
import { StoryTexts } from './story-texts.tsx';

const words = storiesTexts;
const route = getRouteApi('/stories/$storyId');
/** Pages of the list in which a story is looked for, of 50 each. */
const MOST_PAGES = 3;
const TITLE = 200;

/** A story with its figures and all of its posts and comments. */
export function StoryPage() {
  const { storyId } = route.useParams();
  const state = route.useSearch();
  const texts = useInfiniteQuery(storyPostsQuery(useSession().workspace_id, storyId));
  const found = useStory(storyId, state);
  const first = texts.data && titleOfTexts(texts.data.pages[0]!);
  const notFound = <Empty title={words.notFound} />;
  return (
    <Page title={found.story?.title ?? first ?? words.story}>
      <Link to="/stories" search={state} className="mb-2 -mt-3 inline-block text-sm text-accent">
        {words.all}
      </Link>
      <QueryView query={texts} missing={notFound}>
        {({ pages }) =>
          first === undefined ? (
            notFound
          ) : (
            <Settled key={storyId}>
              <div className="grid items-start gap-x-4 lg:grid-cols-3">
                <div className="min-w-0 lg:order-last">
                  <Panel title={words.facts}>
                    <StoryFacts {...found} />
                  </Panel>
                </div>
                <div className="min-w-0 lg:col-span-2">
                  <Panel title={words.texts}>
                    <StoryTexts pages={pages} />
                    <LoadMore query={texts} />
                  </Panel>
                </div>
              </div>
            </Settled>
          )
        }
      </QueryView>
    </Page>
  );
}

/** A story as its list has it, which is read on until it is found. */
function useStory(id: string, state: StoriesState): { story: Story | undefined; isAwaited: boolean } {
  const { workspace_id } = useSession();
  const list = useInfiniteQuery(storiesQuery(workspace_id, state));
  const { fetchNextPage, isPending, isError, hasNextPage } = list;
  const pages = list.data?.pages ?? [];
  const story = pages.flatMap(({ stories }) => stories).find((one) => one.id === id);
  const goesOn = story === undefined && hasNextPage && !isError && pages.length < MOST_PAGES;
  useEffect(() => {
    if (goesOn) void fetchNextPage();
  }, [goesOn, pages.length, fetchNextPage]);
  return { story, isAwaited: isPending || goesOn };
}

/** The title of the first post, or the beginning of the first comment; undefined without any. */
const titleOfTexts = ({ posts: [post], comments: [comment] }: Texts): string | undefined =>
  post ? titleOf(post) : comment && excerptOf(comment.body, TITLE);

function StoryFacts({ story, isAwaited }: { story: Story | undefined; isAwaited: boolean }) {
  if (isAwaited) return <Loading rows={3} />;
  if (story === undefined) return <p className="text-sm text-muted">{words.notListed}</p>;
  const { size, growth, sources, forums, first_at, last_at, keywords } = story;
  return (
    <Facts
      facts={[
        [words.size, formatNumber(size)],
        [
          words.growth,
          <span key="growth" title={words.growthHint}>
            {formatSigned(growth)}
          </span>,
        ],
        [words.sources, sources.map(sourceName).join(', ')],
        [words.forums, forums.length === 0 ? null : <ShortList key="forums" items={forums} />],
        [words.first, <Time key="first" at={first_at} />],
        [words.last, <Time key="last" at={last_at} />],
        [words.keywords, keywords.length === 0 ? null : keywords.join(', ')],
      ]}
    />
  );
}
