import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { countNew, MOST_ARRIVALS } from './arrivals.ts';
import { type OpenSearch, rememberTotal, type SavedSearch } from './saved-searches.ts';
import { idOf, type ResultPage } from './search-queries.ts';
import type { SearchState } from './search-state.ts';
import { useArrivals } from './use-arrivals.ts';

const words = searchTexts.saved;
/** What new results change, by the first part of its key. */
const CHANGED: ReadonlySet<unknown> = new Set(['search', 'facets', 'timeseries']);

/** Offers to load what a saved search has found since its list was requested, and counts it in the navigation. */
export function NewResults({
  search: { id },
  state,
  pages,
}: {
  search: SavedSearch;
  state: SearchState;
  /** The list as it is shown, with at least its first page. */
  pages: readonly ResultPage[];
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const { total, requestedAt } = pages[0]!;
  const ids = pages.flatMap(({ items }) => items.map(idOf));
  const count = countNew(useArrivals(workspace_id, id), { requestedAt, ids });
  useEffect(() => {
    rememberTotal(id, total);
    client.setQueryData<OpenSearch>(keys.openSearch(workspace_id, id), { total, arrived: count });
  }, [client, workspace_id, id, total, count]);
  const load = (): void => {
    client.setQueryData<InfiniteData<ResultPage, string>>(
      keys.search(workspace_id, state),
      (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
    );
    void client.invalidateQueries({
      predicate: ({ queryKey: [name, workspace] }) => CHANGED.has(name) && workspace === workspace_id,
    });
    // The button disappears; the list is read from its beginning.
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  };
  return (
    <div role="status" className="sticky top-2 z-10 flex justify-center">
      {count > 0 && (
        <Button look="primary" className="mb-3 rounded-full!" onClick={load}>
          {words.arrived(count, `${formatNumber(count)}${count >= MOST_ARRIVALS ? '+' : ''}`)}
        </Button>
      )}
    </div>
  );
}
