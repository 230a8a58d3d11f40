import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ownTimeZone } from '../../format.ts';
import { timeSeriesQuery } from '../search/search-queries.ts';
import { periodBefore, shiftedTo } from './previous-period.ts';
import { periodWithData } from './trend-values.ts';
import { type Asked, askedOf, periodOf, type TrendsState } from './trends-state.ts';
import { keys } from '../../api/keys.ts';

/**
 * The time series of each query, null until all of them are there, the filters of their period, and for queries of a
 * limited period the buckets of the period before, once they are there.
 */
export function useTrends(state: TrendsState) {
  const { workspace_id } = useSession();
  const [now] = useState(Date.now);
  const { period: chosen, of: table } = state;
  const isChosen = chosen !== undefined;
  const whole = useQuery({
    ...timeSeriesQuery(workspace_id, table === undefined ? {} : { of: table }),
    enabled: !isChosen || chosen === 'all',
  });
  const period = chosen ?? periodWithData(whole.data?.buckets ?? [], now);
  const { interval: usual, filters } = periodOf(period, now);
  const fixed = isChosen || whole.data !== undefined ? (state.interval ?? usual) : null;
  const interval = fixed ?? whole.data?.interval;
  const asked = askedOf(state);
  const split = state.split === 'of' ? undefined : state.split;
  const seriesQuery = ({ q, of }: Asked, within: typeof filters) => ({
    queryKey: keys.trend(workspace_id, of, q, split, interval, within),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
          params: {
            path: { workspace_id },
            query: {
              ...within,
              ...(q !== '' && { q }),
              ...(split !== undefined && { split_by: split }),
              ...{ of, interval: interval!, timezone: ownTimeZone },
            },
          },
          signal,
        }),
      ),
    enabled: interval !== undefined,
  });
  const results = useQueries({ queries: asked.map((one) => seriesQuery(one, filters)) });
  const former = split === undefined ? periodBefore(filters) : null;
  const earlier = useQueries({
    queries: former === null ? [] : asked.map((one) => seriesQuery(one, former)),
  });
  const series = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    now,
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
