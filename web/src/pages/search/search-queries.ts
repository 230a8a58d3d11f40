import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type CommentQuery, dataOf, type PostQuery, type Schemas } from '../../api/client.ts';
import { ownTimeZone } from '../../format.ts';
import { facetsOf, filtersOf, type SearchState } from './search-state.ts';
import { keys } from '../../api/keys.ts';

const PAGE = 30;
/** Number of values shown of a facet, by default and on demand. */
export const FACET_VALUES = { few: 6, many: 100 } as const;

/** A state without the parts that do not affect the result. */
const withoutOrder = ({ sort_by: _by, sort_order: _order, ...state }: SearchState): SearchState => state;

export type FoundPost = Schemas['PostListItemDto'];
export type FoundComment = Schemas['CommentListItemDto'];
/** The id of a result, with its prefix. */
export const idOf = (item: FoundPost | FoundComment): string =>
  'comment_id' in item ? item.comment_id : item.id;

export interface ResultPage {
  items: (FoundPost | FoundComment)[];
  total: number;
  next: string | null;
  /** When the page was requested, in milliseconds of the page's clock. */
  requestedAt: number;
}

/** The results, page by page. */
export const resultsQuery = (workspaceId: string, state: SearchState) =>
  infiniteQueryOptions({
    queryKey: keys.search(workspaceId, state),
    queryFn: ({ pageParam, signal }) => readPage(workspaceId, state, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });

/** How many results a search has. */
export const readTotal = async (
  workspaceId: string,
  state: SearchState,
  signal: AbortSignal,
): Promise<number> => (await readPage(workspaceId, state, '', signal, 1)).total;

async function readPage(
  workspaceId: string,
  state: SearchState,
  cursor: string,
  signal: AbortSignal,
  limit = PAGE,
): Promise<ResultPage> {
  const requestedAt = performance.now();
  const query = {
    ...filtersOf(state),
    limit,
    cursor,
    highlight: state.q !== undefined && limit > 1,
    sort_by: state.sort_by ?? (state.q === undefined ? 'created_utc' : 'relevance'),
    sort_order: state.sort_order ?? 'desc',
  };
  return { ...(await fetchRows(workspaceId, state.of, query, signal)), requestedAt };
}

/** A page of the list of posts or of comments by a query of that list. */
export async function fetchRows(
  workspaceId: string,
  of: SearchState['of'],
  query: object,
  signal: AbortSignal,
): Promise<Omit<ResultPage, 'requestedAt'>> {
  const path = { workspace_id: workspaceId };
  if (of === 'comments') {
    const params = { path, query: { ...(query as CommentQuery), view: 'full' as const } };
    const answer = await dataOf(api.GET('/api/v1/workspaces/{workspace_id}/comments', { params, signal }));
    const next = answer.has_more ? (answer.cursor ?? null) : null;
    return { items: answer.comments, total: answer.total, next };
  }
  const params = { path, query: query as PostQuery };
  const answer = await dataOf(api.GET('/api/v1/workspaces/{workspace_id}/posts', { params, signal }));
  return { items: answer.posts, total: answer.total, next: answer.has_more ? answer.cursor : null };
}

/** The most frequent values of every facet. Those of a facet are counted without its own choice. */
export const facetsQuery = (workspaceId: string, given: SearchState, limit: number) => {
  const state = withoutOrder(given);
  return queryOptions({
    queryKey: keys.facets(workspaceId, state, limit),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/facets', {
          params: {
            path: { workspace_id: workspaceId },
            query: {
              ...(filtersOf(state) as object),
              of: state.of ?? 'posts',
              by: facetsOf(state.of).join(',') as never,
              limit,
              multi: true,
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
};

export type Interval = Schemas['TimeSeriesDto']['interval'];

const FEW_BUCKETS = 4;

/**
 * A finer interval when the requested one yields too few buckets for a chart; null otherwise. Of three months one is
 * complete and has more weeks than that; two may be as short as two days.
 */
function finerInterval({ interval, buckets }: Schemas['TimeSeriesDto']): Interval | null {
  if (buckets.length === 0 || buckets.length > FEW_BUCKETS) return null;
  if (interval === 'month') return buckets.length > 2 ? 'week' : 'day';
  return interval === 'day' ? 'hour' : null;
}

/** Results over time, in buckets of a size that suits their period. */
export const timeSeriesQuery = (workspaceId: string, given: SearchState) => {
  const state = withoutOrder(given);
  return queryOptions({
    queryKey: keys.timeSeries(workspaceId, state),
    queryFn: async ({ signal }) => {
      for (let interval: Interval = 'month'; ;) {
        const series = await dataOf(
          api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
            params: {
              path: { workspace_id: workspaceId },
              query: {
                ...(filtersOf(state) as object),
                of: state.of ?? 'posts',
                interval,
                timezone: ownTimeZone,
              },
            },
            signal,
          }),
        );
        const finer = finerInterval(series);
        if (finer === null) return series;
        interval = finer;
      }
    },
    placeholderData: keepPreviousData,
  });
};
