import { useQuery } from '@tanstack/react-query';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { readDeliveries } from '../../components/delivery-requests.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { formatNumber } from '../../format.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { deliveriesByDay } from './deliveries-by-day.ts';

const words = webhooksTexts.trend;
const NEWEST = 200;
/** With fewer days there is no trend to see. */
const FEWEST_DAYS = 2;

/** What arrived and failed on each of the last days, from the newest 200 deliveries; nothing without deliveries. */
export function DeliveryTrend({ webhookId: id }: { webhookId: string }) {
  const { workspace_id } = useSession();
  const destination = { kind: 'webhook', id } as const;
  const days = useQuery({
    queryKey: keys.deliveryList(destination, 'days'),
    queryFn: async ({ signal }) => {
      const page = await readDeliveries(workspace_id, destination, { limit: NEWEST }, signal);
      return deliveriesByDay(page.deliveries, !page.has_more, new Date());
    },
  }).data;
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  if (days === undefined || days.arrived.length < FEWEST_DAYS) return null;
  if (total(days.arrived) + total(days.failed) === 0) return null;
  return (
    <div role="group" aria-label={words.title} className="mb-4 grid grid-cols-2 gap-4 sm:max-w-lg">
      {(['arrived', 'failed'] as const).map((outcome) => (
        <div key={outcome} className="min-w-0">
          <p className="mb-1 text-[13px] text-muted">
            <span className="text-base font-semibold text-ink tabular-nums">
              {formatNumber(total(days[outcome]))}
            </span>{' '}
            {words[outcome](formatNumber(days.arrived.length))}
          </p>
          <Sparkline values={days[outcome]} tone={outcome === 'failed' ? 'bad' : 'accent'} />
        </div>
      ))}
    </div>
  );
}
