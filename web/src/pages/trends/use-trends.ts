import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ownTimeZone } from '../../format.ts';
import { timeSeriesQuery } from '../search/search-queries.ts';
import { periodBefore, shiftedTo } from './previous-period.ts';
import { periodWithData } from './trend-values.ts';
import { periodOf, type TrendsState } from './trends-state.ts';
import { keys } from '../../api/keys.ts';

/**
 * The time series of each query, null until all of them are there, the filters of their period, and for queries of a
 * limited period the buckets of the period before, once they are there.
 */
export function useTrends(state: TrendsState, queries: readonly string[]) {
  const { workspace_id } = useSession();
  const [now] = useState(Date.now);
  const isChosen = state.period !== undefined;
  const whole = useQuery({
    ...timeSeriesQuery(workspace_id, state.of === undefined ? {} : { of: state.of }),
    enabled: !isChosen || state.period === 'all',
  });
  const period = state.period ?? periodWithData(whole.data?.buckets ?? [], now);
  const { interval: usual, filters } = periodOf(period, now);
  const fixed = isChosen || whole.data !== undefined ? (state.interval ?? usual) : null;
  const interval = fixed ?? whole.data?.interval;
  const seriesQuery = (q: string, within: typeof filters) => ({
    queryKey: keys.trend(workspace_id, state.of, q, state.split, interval, within),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
          params: {
            path: { workspace_id },
            query: {
              ...within,
              ...(q !== '' && { q }),
              ...(state.split !== undefined && { split_by: state.split }),
              of: state.of ?? 'posts',
              interval: interval!,
              timezone: ownTimeZone,
            },
          },
          signal,
        }),
      ),
    enabled: interval !== undefined,
  });
  const results = useQueries({ queries: queries.map((q) => seriesQuery(q, filters)) });
  const former = state.split === undefined ? periodBefore(filters) : null;
  const earlier = useQueries({
    queries: former === null ? [] : queries.map((q) => seriesQuery(q, former)),
  });
  const series = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    period,
    filters,
    interval,
    before: earlier.map(({ data }, index) => {
      const times = results[index]?.data?.buckets.map(({ start }) => start);
      if (data === undefined || times === undefined) return undefined;
      return shiftedTo(
        times,
        data.buckets,
        Date.parse(filters.created_after!) - Date.parse(former!.created_after),
      );
    }),
    /** Whether nothing at all is stored; known only while no period is chosen. */
    hasNone: whole.data?.buckets.every(({ count }) => count === 0) ?? false,
    series: series.length === results.length ? series : null,
    error: (fixed === null ? whole.error : null) ?? results.find((one) => one.error)?.error ?? null,
    retry: () => [whole, ...results].forEach((one) => one.error && void one.refetch()),
  };
}
