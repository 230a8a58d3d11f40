import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { useSession } from '../api/session.ts';
import { queriesOf, readTrendsState, stateOf, type TrendsState } from '../pages/trends/trends-state.ts';
import { trendsTexts } from '../texts/trends.ts';
import { deleteLater, useDeletedIds } from './undo.ts';

export type Pin = Schemas['PinnedTrendDto'];
type PinRequest = Schemas['CreatePinnedTrendDto'];

/** A state of Trends with the period and the interval that its chart shows. */
export type ShownTrend = TrendsState & Required<Pick<TrendsState, 'period' | 'interval'>>;

/** The state of Trends that shows a pin. */
export const stateOfPin = ({
  queries,
  of,
  period,
  interval,
  split_by: split,
  measure,
}: PinRequest): ShownTrend => ({
  ...readTrendsState({ ...stateOf(queries), of, split, measure }),
  period,
  interval,
});

/** The request that pins a trend. */
export const requestOf = (trend: ShownTrend): PinRequest => ({
  queries: queriesOf(trend),
  of: trend.of ?? 'posts',
  period: trend.period,
  interval: trend.interval,
  ...(trend.split && { split_by: trend.split }),
  measure: trend.measure ?? 'count',
});

/** What a trend is about, in words. */
export const titleOf = (trend: TrendsState): string => queriesOf(trend).join(' · ') || trendsTexts.everything;

/** What its lines measure, and over which period. */
export const aboutOf = ({ measure, period }: ShownTrend): string =>
  `${trendsTexts.measures[measure ?? 'count']}, ${trendsTexts.periods[period].toLowerCase()}`;

/** Whether a pin shows a trend. */
export const isPinOf = (pin: PinRequest, trend: ShownTrend): boolean =>
  JSON.stringify(requestOf(stateOfPin(pin))) === JSON.stringify(requestOf(trend));

/** What the removal of a pin does. */
export function removalOf(pin: Pin): string {
  const { removed, removedWithLink } = trendsTexts.pins;
  return (pin.link_expires_at === null ? removed : removedWithLink)(titleOf(stateOfPin(pin)));
}

/** The pinned trends of the workspace, the oldest first, and what removes one, which can be taken back. */
export function usePins() {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const deleted = useDeletedIds();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: keys.pinnedTrends(workspace_id),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/trends/pins', { params: { path: { workspace_id } } }),
      ),
    staleTime: 60_000,
  });
  const refresh = () => client.invalidateQueries({ queryKey: keys.pinnedTrends(workspace_id) });
  return {
    pins: (data ?? []).filter(({ id }) => !deleted.has(id)),
    error,
    isPending,
    refetch,
    refresh,
    remove: (pin: Pin) =>
      deleteLater({
        ids: [pin.id],
        text: removalOf(pin),
        run: async () => {
          await dataOf(
            api.DELETE('/api/v1/workspaces/{workspace_id}/trends/pins/{pin_id}', {
              params: { path: { workspace_id, pin_id: pin.id } },
              keepalive: true,
            }),
          );
          await refresh();
        },
      }),
  };
}
