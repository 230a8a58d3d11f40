import type { Schemas } from '../../api/client.ts';
import { dayOf } from '../../format.ts';
import { flagsOf, filtersOf, rangesOf, readSearchState, type SearchState } from './search-state.ts';

/** What is stored of a search: its table, query, filters and order. */
export type SearchRecord = Pick<Schemas['SearchDto'], 'of' | 'q' | 'filters' | 'sort_by' | 'sort_order'>;
type Filters = SearchRecord['filters'];

/** The filters of a search in the format of the API: numbers and booleans instead of texts, without the order. */
export function apiFilters(state: SearchState): Filters {
  const filters = Object.entries(filtersOf(state)).map(([name, value]) => {
    if (rangesOf(state.of).some((one) => one === name)) return [name, Number(value)] as const;
    return [name, flagsOf(state.of).some((one) => one === name) ? value === 'true' : value] as const;
  });
  return Object.fromEntries(filters) as Filters;
}

/** A search as it is stored. */
export function recordOf(state: SearchState): {
  of: 'posts' | 'comments';
  q?: string;
  filters: Filters;
  sort_by?: string;
  sort_order?: 'asc' | 'desc';
} {
  const { q, ...filters } = apiFilters(state) as { q?: string };
  return {
    of: state.of ?? 'posts',
    ...(q !== undefined && { q }),
    filters: filters as Filters,
    ...(state.sort_by !== undefined && { sort_by: state.sort_by }),
    ...(state.sort_order !== undefined && { sort_order: state.sort_order }),
  };
}

/**
 * The search of a record. A time that is no beginning of a day in the reader's zone becomes part of the query, so that
 * the search finds exactly what the record does.
 */
export function searchOf({
  of,
  q,
  filters,
  sort_by,
  sort_order,
}: Pick<SearchRecord, 'of' | 'filters'> & Partial<SearchRecord>): SearchState {
  const { created_after, created_before, ...others } = filters as Record<string, unknown> & {
    q?: string;
    created_after?: string;
    created_before?: string;
  };
  const from = created_after === undefined ? undefined : dayOf(new Date(created_after));
  const to =
    created_before === undefined ? undefined : dayOf(new Date(new Date(created_before).getTime() - 1));
  const days = filtersOf({ ...(from && { from }), ...(to && { to }) });
  const isSame = (one: string | undefined, other: string | undefined): boolean =>
    one === undefined || (other !== undefined && Date.parse(one) === Date.parse(other));
  const hasFrom = isSame(created_after, days.created_after);
  const hasTo = isSame(created_before, days.created_before);
  const words = q ?? others.q;
  const given = {
    ...Object.fromEntries(
      Object.entries(others).map(([name, value]) => [
        name,
        Array.isArray(value) ? value : String(value as string | number | boolean),
      ]),
    ),
    of,
    q: [
      typeof words === 'string' ? (hasFrom && hasTo ? words : `(${words})`) : '',
      hasFrom ? '' : `after:${created_after!}`,
      hasTo ? '' : `before:${created_before!}`,
    ]
      .filter(Boolean)
      .join(' '),
    ...(hasFrom && { from }),
    ...(hasTo && { to }),
    sort_by: sort_by ?? undefined,
    sort_order,
  };
  return readSearchState(given);
}

/**
 * The changes that make a saved search find what a search finds. The API has no order "as the list", so that the list's
 * own is named where another one was stored.
 */
export function changesTo({ sort_by }: Pick<SearchRecord, 'sort_by'>, state: SearchState) {
  const record: Partial<ReturnType<typeof recordOf>> = recordOf(state);
  delete record.of;
  const own = state.q === undefined ? 'created_utc' : 'relevance';
  return {
    q: '',
    sort_order: 'desc' as const,
    ...(sort_by !== null && { sort_by: own }),
    ...record,
  };
}

/** Whether two searches find the same in the same order. */
export function isSameSearch(one: SearchState, other: SearchState): boolean {
  const text = (state: SearchState): string =>
    JSON.stringify(Object.entries(recordOf(state)).map(([name, value]) => [name, sorted(value)]));
  return text(one) === text(other);
}

const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).sort() : value;
