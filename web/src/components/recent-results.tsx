import { queryOptions, useQuery } from '@tanstack/react-query';
import { keys } from '../api/keys.ts';
import { useSession } from '../api/session.ts';
import { formatNumber } from '../format.ts';
import { deliveriesTexts } from '../texts/deliveries.ts';
import { type DeliveryHealth, healthOf, type Outcome } from './delivery-health.ts';
import { type Destination, readDeliveries } from './delivery-requests.ts';

const words = deliveriesTexts;
const SHOWN = 10;
const REFRESH_MS = 30_000;
/** How often they are read while the newest one has not been tried. */
const AWAITED_REFRESH_MS = 2_000;

/** The health of a destination by its last ten deliveries. */
export const deliveryHealthQuery = (workspace_id: string, destination: Destination) =>
  queryOptions({
    queryKey: keys.deliveryList(destination, 'recent'),
    queryFn: async ({ signal }) =>
      healthOf((await readDeliveries(workspace_id, destination, { limit: SHOWN }, signal)).deliveries),
    refetchInterval: ({ state }) =>
      state.data?.outcomes.at(-1) === 'waiting' ? AWAITED_REFRESH_MS : REFRESH_MS,
  });

/** The health of a destination; undefined until it is known, or while not enabled. */
export function useDeliveryHealth(destination: Destination, enabled: boolean): DeliveryHealth | undefined {
  const { workspace_id } = useSession();
  return useQuery({ ...deliveryHealthQuery(workspace_id, destination), enabled }).data;
}

const COLOURS: Record<Outcome, string> = { arrived: 'bg-good', failed: 'bg-bad', waiting: 'bg-edge' };
/** Failed bars are lower, so that they differ without colours, too. */
const HEIGHTS: Record<Outcome, string> = { arrived: 'h-4', failed: 'h-2', waiting: 'h-4' };

/** The last ten results as bars, oldest first; `textOf` says in words how many there are and how many failed. */
export function ResultBars({
  outcomes,
  textOf = words.bars,
}: {
  outcomes: readonly Outcome[];
  textOf?: (count: string, failed: string) => string;
}) {
  if (outcomes.length === 0) return null;
  const failed = outcomes.filter((outcome) => outcome === 'failed').length;
  const text = textOf(formatNumber(outcomes.length), formatNumber(failed));
  return (
    <span role="img" aria-label={text} title={text} className="inline-flex h-4 items-end gap-px self-center">
      {outcomes.map((outcome, index) => (
        <span key={index} className={`w-1 rounded-sm ${COLOURS[outcome]} ${HEIGHTS[outcome]}`} />
      ))}
    </span>
  );
}
