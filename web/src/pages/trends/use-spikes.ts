import { useQueries } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { ownTimeZone } from '../../format.ts';
import type { Interval, TrendsState } from './trends-state.ts';

/** An hour or day in which a query found far more than usual. */
export interface LineSpike {
  /** The index of its line. */
  line: number;
  spike: Schemas['SpikeDto'];
}

/** The spikes of each query in a period, latest first; none where hours and days are not counted. */
export function useSpikes(
  { of, measure, split }: TrendsState,
  queries: readonly string[],
  interval: Interval | undefined,
  filters: { created_after?: string; created_before?: string },
): LineSpike[] {
  const { workspace_id } = useSession();
  const isCounted =
    (interval === 'hour' || interval === 'day') && measure === undefined && split === undefined;
  const results = useQueries({
    queries: queries.map((q) => ({
      queryKey: keys.trend(workspace_id, 'spikes', of, q, interval, filters),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          api.GET('/api/v1/workspaces/{workspace_id}/analytics/spikes', {
            params: {
              path: { workspace_id },
              query: {
                ...filters,
                ...(q !== '' && { q }),
                of: of ?? 'posts',
                interval: interval === 'hour' ? ('hour' as const) : ('day' as const),
                timezone: ownTimeZone,
              },
            },
            signal,
          }),
        ),
      // All time may have more hours than are compared; the chart is complete without spikes.
      enabled: isCounted,
      retry: false,
    })),
  });
  return results
    .flatMap(({ data }, line) => (data?.spikes ?? []).map((spike) => ({ line, spike })))
    .toSorted((one, other) => other.spike.start.localeCompare(one.spike.start));
}
