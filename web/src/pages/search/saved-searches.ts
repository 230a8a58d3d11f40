import { queryOptions, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useDelayed } from '../../timers.ts';
import { readTotal } from './search-queries.ts';
import { isSameSearch, searchOf } from './search-record.ts';
import type { SearchState } from './search-state.ts';

export type SavedSearch = Schemas['SearchDto'];

/** How often the totals of saved searches are read again, and of how many. */
const REFRESH_MS = 120_000;
const MOST_COUNTED = 8;
/** Pause after which they are read, so that the page's own requests are first. */
const AFTER_PAGE_MS = 1_500;

export const savedSearchesQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.savedSearches(workspace_id),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/searches', { params: { path: { workspace_id } } })),
    staleTime: 60_000,
  });

/**
 * The saved search that finds the same in the same order, if there is one; and the one that was open last on this page,
 * from which the search may differ by now.
 */
export function useSavedSearch(
  workspaceId: string,
  state: SearchState,
): {
  saved: SavedSearch | undefined;
  opened: SavedSearch | undefined;
} {
  const [openedId, setOpenedId] = useState<string>();
  const searches = useQuery(savedSearchesQuery(workspaceId)).data;
  const saved = searches?.find((search) => isSameSearch(searchOf(search), state));
  if (saved !== undefined && saved.id !== openedId) setOpenedId(saved.id);
  return { saved, opened: saved ?? searches?.find(({ id }) => id === openedId) };
}

/** Changes a saved search. */
export const updateSearch = (workspace_id: string, search_id: string, body: Schemas['UpdateSearchDto']) =>
  dataOf(
    api.PATCH('/api/v1/workspaces/{workspace_id}/searches/{search_id}', {
      params: { path: { workspace_id, search_id } },
      body,
    }),
  );

/** What was last known of a saved search while its page was open. */
export interface OpenSearch {
  /** The number of results in its list. */
  total: number;
  /** How many were stored since. */
  arrived: number;
}

/** How many results a saved search has more than when its list was last read in this browser. */
export function useFresh(workspaceId: string, id: string, total: number | undefined): number {
  const { data: open } = useQuery<OpenSearch>({
    queryKey: keys.openSearch(workspaceId, id),
    queryFn: skipToken,
  });
  const counted = total === undefined ? 0 : total - (seenTotals()[id] ?? total);
  return Math.max(counted, open?.arrived ?? 0);
}

/** How many results each of the first saved searches has now, read one after the other. */
export function useTotals(workspaceId: string, searches: readonly SavedSearch[]): Record<string, number> {
  const counted = searches.slice(0, MOST_COUNTED);
  const { data } = useQuery({
    queryKey: keys.savedSearchTotals(
      workspaceId,
      counted.map(({ id }) => id),
    ),
    queryFn: async ({ signal }) => {
      const totals: Record<string, number> = {};
      for (const search of counted)
        totals[search.id] = await readTotal(workspaceId, searchOf(search), signal);
      return totals;
    },
    enabled: useDelayed(counted.length, AFTER_PAGE_MS) > 0,
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
  });
  return data ?? {};
}

const SEEN = 'seen-searches';

/** Numbers of results that were seen in this browser, by the id of the search. */
function seenTotals(): Record<string, number> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(SEEN) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as Record<string, number>) : {};
  } catch {
    return {};
  }
}

/** Remembers how many results a search had when it was open. */
export function rememberTotal(id: string, total: number): void {
  try {
    localStorage.setItem(SEEN, JSON.stringify({ ...seenTotals(), [id]: total }));
  } catch {
    // Without storage nothing is counted as new.
  }
}
