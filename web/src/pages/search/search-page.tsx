import { KINDS } from '../../api/kinds.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useDeferredValue, useState } from 'react';
import { workspaceUrl } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass, Select } from '../../components/controls.tsx';
import { Menu } from '../../components/menu.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { searchTexts } from '../../texts/search.ts';
import { useDelayed } from '../../timers.ts';
import type { AlertBeginning } from '../alerts/alert-draft.ts';
import { FILTER_LABELS } from './filter-names.ts';
import { NewResults } from './new-results.tsx';
import { CommentResult, PostResult } from './results.tsx';
import { type SavedSearch, useSavedSearch } from './saved-searches.ts';
import { searchAsQuery } from './search-as-query.ts';
import { Filters, FilterChips } from './filters.tsx';
import { SearchField } from './search-field.tsx';
import { SaveSearch } from './save-search.tsx';
import { FACET_VALUES, facetsQuery, idOf, resultsQuery, timeSeriesQuery } from './search-queries.ts';
import { usePreviewKeys } from './use-preview.ts';
import { filtersOf, isFiltered, readSearchState, type SearchState, sortsOf } from './search-state.ts';

const PreviewPanel = lazy(() => import('./preview-panel.tsx'));
const TimeChart = lazy(() => import('./time-chart.tsx'));
const AlertBuilder = lazy(() => import('../alerts/alert-builder.tsx'));
/** Pause in typing after which the chart and the filter counts are updated. */
const TYPING_MS = 250;
/** Leaves the side panel its width. */
const BESIDE_PANEL = 'sm:mr-[min(28rem,100%-24rem)]';
const route = getRouteApi('/search');

export function SearchPage() {
  const { preview, ...state } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id: workspaceId } = useSession();
  const saved = useSavedSearch(workspaceId, state);
  const results = useInfiniteQuery({
    ...resultsQuery(workspaceId, state),
    // A saved search is told what was stored while the page was hidden, and loads it on demand.
    refetchOnWindowFocus: saved === undefined,
    refetchOnReconnect: saved === undefined,
  });
  // The first list is rendered in pieces, so that the browser stays responsive; later ones are rendered immediately.
  const isAwaited = useDeferredValue(results.isPending);
  // The list is loaded first, then chart and counts. While typing, these wait for a pause.
  const isTyping = useDelayed(state.q, TYPING_MS) !== state.q;
  const enabled = results.isSuccess && !results.isPlaceholderData && !isTyping;
  const series = useQuery({ ...timeSeriesQuery(workspaceId, state), enabled });
  const [values, setValues] = useState<keyof typeof FACET_VALUES>('few');
  const facets = useQuery({ ...facetsQuery(workspaceId, state, FACET_VALUES[values]), enabled });
  const change = (changes: Partial<SearchState>, replace = false): void => {
    void navigate({ search: readSearchState({ ...state, ...changes }), replace, resetScroll: false });
  };

  const hasChart = series.data === undefined ? series.isPending : series.data.buckets.length > 1;
  const items = results.data?.pages.flatMap((page) => page.items) ?? [];
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
  usePreviewKeys({ step, close: () => openId(undefined), isOpen: opened !== -1 });

  const total = isAwaited ? undefined : results.data?.pages[0]?.total;
  if (total === 0 && !isFiltered(state) && state.of === undefined && !results.isFetching)
    return <Navigate to="/start" replace />;
  return (
    <Page title={searchTexts.title} hideTitle>
      <div className={opened === -1 ? '' : BESIDE_PANEL}>
        <SearchField state={state} onChange={change} onLeave={() => step(1)} />
      </div>
      <div
        className={`mt-4 gap-6 lg:grid lg:grid-cols-[13.5rem_1fr] ${opened === -1 ? '' : `${BESIDE_PANEL} lg:max-2xl:grid-cols-[0_1fr] lg:max-2xl:gap-0 lg:max-2xl:*:first:invisible`}`}
      >
        <Filters
          state={state}
          facets={facets.data?.facets}
          values={values}
          error={facets.error}
          onChange={change}
          onValues={setValues}
        />
        <div className="min-w-0">
          <FilterChips state={state} onChange={change} />
          {hasChart && (
            // Has the chart's height before it is loaded, so that nothing below moves.
            <div className="mb-4 h-[10.5rem]">
              {series.data !== undefined && (
                <Suspense>
                  <TimeChart series={series.data} onSelect={(from, to) => change({ from, to })} />
                </Suspense>
              )}
            </div>
          )}
          <ResultsBar state={state} saved={saved} total={total} onChange={change} />
          {saved !== undefined && results.data !== undefined && !results.isPlaceholderData && (
            <NewResults key={saved.id} search={saved} state={state} pages={results.data.pages} />
          )}
          {results.error ? (
            <ErrorNote error={results.error} onRetry={() => void results.refetch()} />
          ) : isAwaited ? (
            <Loading rows={6} />
          ) : items.length === 0 && !isFiltered(state) ? (
            <Empty title={searchTexts.noComments} hint={searchTexts.noCommentsHint} />
          ) : items.length === 0 ? (
            <Empty title={searchTexts.none} hint={searchTexts.noneHint}>
              <Button onClick={() => void navigate({ search: state.of ? { of: state.of } : {} })}>
                {searchTexts.clear}
              </Button>
            </Empty>
          ) : (
            <ol
              className={`space-y-3 ${results.isPlaceholderData ? 'opacity-60' : ''}`}
              aria-busy={results.isFetching}
            >
              {items.map((item) =>
                'comment_id' in item ? (
                  <CommentResult
                    key={item.comment_id}
                    comment={item}
                    isSelected={item.comment_id === preview}
                    onOpen={openId}
                  />
                ) : (
                  <PostResult key={item.id} post={item} isSelected={item.id === preview} onOpen={openId} />
                ),
              )}
            </ol>
          )}
          {!isAwaited && results.hasNextPage && (
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
          )}
        </div>
      </div>
      {opened !== -1 && (
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

function ResultsBar({
  state,
  saved,
  total,
  onChange,
}: {
  state: SearchState;
  saved: SavedSearch | undefined;
  total: number | undefined;
  onChange: (changes: Partial<SearchState>) => void;
}) {
  const session = useSession();
  const [alerting, setAlerting] = useState(false);
  const sort = state.sort_by ?? (state.q === undefined ? 'created_utc' : 'relevance');
  return (
    <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-sm text-muted tabular-nums">
        {total === undefined
          ? ''
          : total === 1
            ? searchTexts.oneResult
            : searchTexts.results(formatNumber(total))}
      </p>
      <div className="relative flex flex-wrap items-center gap-2">
        <div className="w-36">
          <Select
            aria-label={searchTexts.sort}
            value={sort}
            onChange={({ target }) => onChange({ sort_by: target.value })}
            options={sortsOf(state).map((name) => [name, searchTexts.sorts[name]] as const)}
          />
        </div>
        <Button
          aria-label={`${searchTexts.orderLabel}: ${searchTexts.order[state.sort_order ?? 'desc']}`}
          title={searchTexts.order[state.sort_order ?? 'desc']}
          onClick={() => onChange({ sort_order: state.sort_order === 'asc' ? undefined : 'asc' })}
        >
          <span aria-hidden="true">{state.sort_order === 'asc' ? '↑' : '↓'}</span>
        </Button>
        <SaveSearch state={state} saved={saved} />
        <SaveAs state={state} sort={sort} />
        {session.allows('write') && <Button onClick={() => setAlerting(true)}>{searchTexts.alert}</Button>}
      </div>
      {alerting && (
        <Suspense>
          <AlertBuilder alert={null} beginning={alertBeginning(state)} onClose={() => setAlerting(false)} />
        </Suspense>
      )}
    </div>
  );
}

function SaveAs({ state, sort }: { state: SearchState; sort: string }) {
  const { workspace_id: workspaceId, allows } = useSession();
  const mayWrite = allows('write');
  const address = (format: string): string =>
    workspaceUrl(workspaceId, `/exports/${state.of ?? 'posts'}`, {
      ...filtersOf(state),
      sort_by: sort,
      sort_order: state.sort_order ?? 'desc',
      format,
    });
  return (
    <Menu label={searchTexts.save}>
      {KINDS.formats.map(({ name: format, title }) => (
        <a
          key={format}
          href={address(format)}
          download
          className={`${buttonClass('quiet')} w-full justify-start!`}
        >
          {title}
        </a>
      ))}
      <p className="px-3 py-1 text-[13px] text-muted">{searchTexts.saveLimit}</p>
      {mayWrite && (
        <>
          <Link
            to="/exports"
            search={{ ...state, create: 'yes' }}
            className={`${buttonClass('quiet')} w-full justify-start!`}
          >
            {searchTexts.saveAll}
          </Link>
          <Link
            to="/datasets"
            search={{ ...state, create: 'yes' }}
            className={`${buttonClass('quiet')} w-full justify-start!`}
          >
            {searchTexts.freeze}
          </Link>
        </>
      )}
    </Menu>
  );
}

/** An alert for what a search finds, with all its filters. */
function alertBeginning(state: SearchState): AlertBeginning {
  const { query, left } = searchAsQuery(state);
  return {
    query,
    of: state.of ?? 'posts',
    left: left.map((name) => FILTER_LABELS[name] ?? searchTexts.otherFilter),
  };
}
