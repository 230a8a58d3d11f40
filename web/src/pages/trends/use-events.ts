import { useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { type Bucket, ownTimeZone } from '../../format.ts';
import type { Counted } from './buckets.ts';
import type { Trend } from './trend.ts';
import { eventsOf, type TrendEvent } from './trend-events.ts';
import { askedOf, type TrendsState } from './trends-state.ts';

/** What a chart marks. */
export interface Marked {
  events: TrendEvent[];
  /** True until all that there is to mark is known, or failed. */
  isPending: boolean;
  hasFailed: boolean;
}

/** Whether spikes are found in buckets of this kind. */
export const hasSpikes = (interval: Bucket | undefined): boolean => interval === 'hour' || interval === 'day';

/** The spikes and stories of a chart, once it is there; `isAwaited` while it may still come. */
export function useEvents(
  state: TrendsState,
  { trend, filters, isAwaited }: { trend: Trend | null; filters: Counted; isAwaited: boolean },
): Marked {
  const spikes = useSpikes(state, trend?.interval, filters);
  const stories = useStories(state, trend);
  const results = [...spikes, stories];
  const hasLines = state.split === undefined || state.split === 'of';
  const found = askedOf(state).flatMap((asked, index) =>
    (spikes[index]?.data?.spikes ?? []).map((spike) => ({ asked, line: hasLines ? index : null, spike })),
  );
  return {
    events: trend === null ? [] : eventsOf(trend.borders, found, stories.data?.stories ?? []),
    isPending: isAwaited || results.some(({ isLoading }) => isLoading),
    hasFailed: results.some(({ error }) => error !== null),
  };
}

/** The spikes of each query; none where hours and days are not counted. */
function useSpikes(state: TrendsState, interval: Bucket | undefined, filters: Counted) {
  const { workspace_id } = useSession();
  return useQueries({
    queries: askedOf(state).map(({ q, of }) => ({
      queryKey: keys.trend(workspace_id, 'spikes', of, q, interval, filters),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          api.GET('/api/v1/workspaces/{workspace_id}/analytics/spikes', {
            params: {
              path: { workspace_id },
              query: {
                ...filters,
                ...(q !== '' && { q }),
                of,
                interval: interval === 'hour' ? ('hour' as const) : ('day' as const),
                timezone: ownTimeZone,
              },
            },
            signal,
          }),
        ),
      // All time may have more hours than are compared; the chart is complete without spikes.
      enabled: hasSpikes(interval),
    })),
  });
}

/** The largest stories of what any of the queries finds since the chart begins; the chart is complete without them. */
function useStories(state: TrendsState, trend: Trend | null) {
  const { workspace_id } = useSession();
  const queries = askedOf(state).map(({ q }) => q);
  const q = queries.length > 1 && state.split === undefined ? `(${queries.join(') OR (')})` : queries[0]!;
  const of = state.split === 'of' ? ('all' as const) : (state.of ?? 'posts');
  const since = trend === null || trend.borders.length === 0 ? undefined : beforeOf(trend.borders);
  return useQuery({
    queryKey: keys.trend(workspace_id, 'stories', of, q, since),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/stories', {
          params: {
            path: { workspace_id },
            query: { of, since: new Date(since!).toISOString(), ...(q !== '' && { q }) },
          },
          signal,
        }),
      ),
    enabled: since !== undefined,
    // Putting stories together takes seconds.
    staleTime: 60_000,
  });
}

/** Some time before a chart, so that stories which began there are known to have begun before it. */
const beforeOf = (borders: readonly number[]): number =>
  Math.round(borders[0]! - (borders.at(-1)! - borders[0]!) / 3);
