import type { KINDS } from '../../api/kinds.ts';
import type { Schemas } from '../../api/client.ts';
import { formatTimeOfDay, ownTimeZone } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';

type Delivery = Schemas['AlertDeliveryDto'];

/** When an alert notifies, as edited in its form. */
export interface DeliverySettings {
  every: (typeof KINDS.lists.deliveryPeriods)[number];
  /** Local time of a daily or weekly digest, `HH:MM`. */
  at: string;
  weekday: (typeof KINDS.lists.weekdays)[number];
  timezone: string;
  /** Local times; both empty for no quiet hours. */
  quietFrom: string;
  quietTo: string;
  /** Empty for no limit. */
  perHour: string;
}

/** The settings of a delivery; null notifies of every match at once. */
export const deliveryOf = (delivery: Delivery | null): DeliverySettings => ({
  every: delivery?.every ?? 'match',
  at: delivery?.at ?? '08:00',
  weekday: delivery?.weekday ?? 'monday',
  timezone: delivery?.timezone ?? ownTimeZone,
  quietFrom: delivery?.quiet?.from ?? '',
  quietTo: delivery?.quiet?.to ?? '',
  perHour: delivery?.max_per_hour == null ? '' : String(delivery.max_per_hour),
});

/** Settings in the API's format; null for notifications of every match at once. */
export function toDelivery(settings: DeliverySettings): Delivery | null {
  const { every, at, weekday, timezone, quietFrom, quietTo, perHour } = settings;
  const hasQuiet = quietFrom !== '' && quietTo !== '';
  if (every === 'match' && !hasQuiet && perHour === '') return null;
  const isTimed = every === 'day' || every === 'week';
  return {
    every,
    timezone,
    ...(isTimed && { at }),
    ...(every === 'week' && { weekday }),
    ...(hasQuiet && { quiet: { from: quietFrom, to: quietTo } }),
    ...(perHour !== '' && { max_per_hour: Number(perHour) }),
  };
}

/** A time of day, `HH:MM`, as the reader writes it. */
export function timeText(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return formatTimeOfDay(hour, minute);
}

/** When an alert notifies, in words. */
export function deliveryText(settings: DeliverySettings): string {
  const words = alertsTexts.delivery;
  const { every, at, weekday, quietFrom, quietTo, perHour } = settings;
  const parts = [words.summaries[every](timeText(at), words.weekdays[weekday])];
  if (quietFrom !== '' && quietTo !== '')
    parts.push(words.quietSummary(timeText(quietFrom), timeText(quietTo)));
  if (perHour !== '') parts.push(words.perHourSummary(perHour));
  return parts.join(', ');
}
