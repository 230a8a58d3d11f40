import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useDeferredValue, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { searchTexts } from '../../texts/search.ts';
import { useDelayed } from '../../timers.ts';
import { NewResults } from './new-results.tsx';
import { CommentResult, PostResult } from './results.tsx';
import { ResultsBar } from './results-bar.tsx';
import { type SavedSearch, useSavedSearch } from './saved-searches.ts';
import { Filters, FilterChips } from './filters.tsx';
import { SearchField } from './search-field.tsx';
import { FACET_VALUES, facetsQuery, idOf, resultsQuery, timeSeriesQuery } from './search-queries.ts';
import { usePreviewKeys } from './use-preview.ts';
import { isFiltered, readSearchState, type SearchState } from './search-state.ts';

const PreviewPanel = lazy(() => import('./preview-panel.tsx'));
const TimeChart = lazy(() => import('./time-chart.tsx'));
/** Pause in typing after which the chart and the filter counts are updated. */
const TYPING_MS = 250;
/** Leaves the side panel its width. */
const BESIDE_PANEL = 'sm:mr-[min(28rem,100%-24rem)]';
const route = getRouteApi('/search');

/** What a search finds: its list first, then its chart and the counts of its filters. */
function useResults(state: SearchState, saved: SavedSearch | undefined) {
  const { workspace_id: workspaceId } = useSession();
  const results = useInfiniteQuery({
    ...resultsQuery(workspaceId, state),
    // A saved search is told what was stored while the page was hidden, and loads it on demand.
    refetchOnWindowFocus: saved === undefined,
    refetchOnReconnect: saved === undefined,
  });
  // The first list is rendered in pieces, so that the browser stays responsive; later ones are rendered immediately.
  const isAwaited = useDeferredValue(results.isPending);
  // While typing, chart and counts wait for a pause.
  const isTyping = useDelayed(state.q, TYPING_MS) !== state.q;
  const enabled = results.isSuccess && !results.isPlaceholderData && !isTyping;
  const series = useQuery({ ...timeSeriesQuery(workspaceId, state), enabled });
  const [values, setValues] = useState<keyof typeof FACET_VALUES>('few');
  const facets = useQuery({ ...facetsQuery(workspaceId, state, FACET_VALUES[values]), enabled });
  const items = results.data?.pages.flatMap((page) => page.items) ?? [];
  const total = isAwaited ? undefined : results.data?.pages[0]?.total;
  return { results, isAwaited, items, total, series, facets, values, setValues };
}
type Found = ReturnType<typeof useResults>;

/** The result in the side panel, with steps to its neighbours by buttons and keys. */
function usePreview(preview: string | undefined, { items, results }: Found) {
  const navigate = route.useNavigate();
  const openId = useCallback(
    (id: string | undefined) =>
      void navigate({ search: (before) => ({ ...before, preview: id }), replace: true, resetScroll: false }),
    [navigate],
  );
  const opened = items.findIndex((item) => idOf(item) === preview);
  const step = (by: 1 | -1): void => {
    const next = items[opened === -1 ? 0 : opened + by];
    if (next === undefined) return;
    openId(idOf(next));
    document.querySelector(`[data-result="${CSS.escape(idOf(next))}"]`)?.scrollIntoView({ block: 'nearest' });
    if (opened + by >= items.length - 2 && results.hasNextPage && !results.isFetchingNextPage)
      void results.fetchNextPage();
  };
  const isOpen = opened !== -1;
  usePreviewKeys({ step, close: () => openId(undefined), isOpen });
  return { opened, isOpen, openId, step };
}

export function SearchPage() {
  const { preview, ...state } = route.useSearch();
  const navigate = route.useNavigate();
  const { saved, opened: openedSearch } = useSavedSearch(useSession().workspace_id, state);
  const found = useResults(state, saved);
  const { results, items, total, facets, values, setValues } = found;
  const { opened, isOpen, openId, step } = usePreview(preview, found);
  const change = (changes: Partial<SearchState>, replace = false): void =>
    void navigate({ search: readSearchState({ ...state, ...changes }), replace, resetScroll: false });
  if (total === 0 && !isFiltered(state) && state.of === undefined && !results.isFetching)
    return <Navigate to="/start" replace />;
  return (
    <Page title={searchTexts.title} hideTitle>
      <div className={isOpen ? BESIDE_PANEL : ''}>
        <SearchField state={state} onChange={change} onLeave={() => step(1)} />
      </div>
      <div
        className={`mt-4 gap-6 lg:grid lg:grid-cols-[13.5rem_1fr] ${isOpen ? `${BESIDE_PANEL} lg:max-2xl:grid-cols-[0_1fr] lg:max-2xl:gap-0 lg:max-2xl:*:first:invisible` : ''}`}
      >
        <Filters
          state={state}
          facets={results.error ? {} : facets.data?.facets}
          values={values}
          error={facets.error}
          onChange={change}
          onValues={setValues}
        />
        <div className="min-w-0">
          <FilterChips state={state} onChange={change} />
          <ResultsBar state={state} saved={saved} opened={openedSearch} total={total} onChange={change} />
          <ResultsChart found={found} onSelect={(from, to) => change({ from, to })} />
          {saved !== undefined && results.data !== undefined && !results.isPlaceholderData && (
            <NewResults key={saved.id} search={saved} state={state} pages={results.data.pages} />
          )}
          <ResultList state={state} found={found} preview={preview} onOpen={openId} />
          <MoreResults found={found} />
        </div>
      </div>
      {isOpen && (
        <Suspense>
          <PreviewPanel
            item={items[opened]!}
            position={opened + 1}
            onStep={step}
            onClose={() => openId(undefined)}
          />
        </Suspense>
      )}
    </Page>
  );
}

/** Has the chart's height before it is loaded, so that nothing below moves. */
function ResultsChart({
  found: { results, series, total },
  onSelect,
}: {
  found: Found;
  onSelect: (from: string, to: string) => void;
}) {
  if (total === 0 || series.data?.buckets.length === 0 || series.error || results.error) return null;
  return (
    <div className="mb-4 h-[10.5rem]">
      {series.data !== undefined && (
        <Suspense>
          <TimeChart series={series.data} onSelect={onSelect} />
        </Suspense>
      )}
    </div>
  );
}

function ResultList({
  state,
  found: { results, isAwaited, items },
  preview,
  onOpen,
}: {
  state: SearchState;
  found: Found;
  preview: string | undefined;
  onOpen: (id: string | undefined) => void;
}) {
  if (results.error) return <ErrorNote error={results.error} onRetry={() => void results.refetch()} />;
  if (isAwaited) return <Loading rows={6} />;
  if (items.length === 0 && !isFiltered(state))
    return <Empty title={searchTexts.noComments} hint={searchTexts.noCommentsHint} />;
  if (items.length === 0) return <NoResults state={state} />;
  return (
    <ol
      className={`space-y-3 ${results.isPlaceholderData ? 'opacity-60' : ''}`}
      aria-busy={results.isFetching}
    >
      {items.map((item) => {
        const isSelected = idOf(item) === preview;
        return 'comment_id' in item ? (
          <CommentResult key={item.comment_id} comment={item} isSelected={isSelected} onOpen={onOpen} />
        ) : (
          <PostResult key={item.id} post={item} isSelected={isSelected} onOpen={onOpen} />
        );
      })}
    </ol>
  );
}

/** What to do when nothing is found: without filters, other words or the other subject. */
function NoResults({ state }: { state: SearchState }) {
  const navigate = route.useNavigate();
  const { q, of, ...filters } = state;
  if (isFiltered(filters) || q === undefined)
    return (
      <Empty title={searchTexts.none} hint={searchTexts.noneHint}>
        <Button onClick={() => void navigate({ search: { of, q } })}>{searchTexts.clear}</Button>
      </Empty>
    );
  const subject = of ?? 'posts';
  return (
    <Empty title={searchTexts.noneOf[subject](q)} hint={searchTexts.spelling}>
      <Button onClick={() => void navigate({ search: { q, of: of === undefined ? 'comments' : undefined } })}>
        {searchTexts.searchIn[subject]}
      </Button>
    </Empty>
  );
}

function MoreResults({ found: { results, isAwaited, items, total } }: { found: Found }) {
  if (isAwaited || !results.hasNextPage) return null;
  return (
    <div className="mt-5 flex justify-center">
      <Button disabled={results.isFetchingNextPage} onClick={() => void results.fetchNextPage()}>
        {commonTexts.loadMore}
        {total !== undefined && (
          <span className="text-muted">
            ({commonTexts.shown(formatNumber(items.length), formatNumber(total))})
          </span>
        )}
      </Button>
    </div>
  );
}
