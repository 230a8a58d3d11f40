import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { ownTimeZone } from '../../format.ts';
import { timeSeriesQuery } from '../search/search-queries.ts';
import { periodWithData } from './trend-values.ts';
import { periodOf, type TrendsState } from './trends-state.ts';
import { keys } from '../../api/keys.ts';

/** The time series of each query, null until all of them are there, and the filters of their period. */
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
  const results = useQueries({
    queries: queries.map((q) => ({
      queryKey: keys.trend(workspace_id, state.of, q, state.split, interval, filters),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
            params: {
              path: { workspace_id },
              query: {
                ...filters,
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
    })),
  });
  const series = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    period,
    filters,
    series: series.length === results.length ? series : null,
    error: (fixed === null ? whole.error : null) ?? results.find((one) => one.error)?.error ?? null,
    retry: () => [whole, ...results].forEach((one) => one.error && void one.refetch()),
  };
}
