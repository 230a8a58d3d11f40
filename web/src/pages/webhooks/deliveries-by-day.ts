import { outcomeOf } from '../../components/delivery-health.ts';
import { midnight } from '../../format.ts';
import type { Delivery } from './webhooks.ts';

/** Days that are shown at most. */
export const DAYS = 14;

/** How many deliveries of each day arrived and failed, oldest day first. */
export interface DeliveryDays {
  arrived: number[];
  failed: number[];
}

const startOfDay = (now: Date, daysBefore: number): number => midnight(now, -daysBefore).getTime();

/**
 * The deliveries of the last days up to today, in the time zone of the browser. `newest` are the newest deliveries,
 * newest first; unless they are all (`areAll`), the day of the last one and those before are left out.
 */
export function deliveriesByDay(
  newest: readonly Pick<Delivery, 'created_at' | 'status' | 'error'>[],
  areAll: boolean,
  now: Date,
): DeliveryDays {
  const times = newest.map(({ created_at }) => Date.parse(created_at));
  const starts = Array.from({ length: DAYS }, (_, index) => startOfDay(now, DAYS - 1 - index)).filter(
    (start) => areAll || start > (times.at(-1) ?? 0),
  );
  const days: DeliveryDays = { arrived: starts.map(() => 0), failed: starts.map(() => 0) };
  for (const [index, delivery] of newest.entries()) {
    const outcome = outcomeOf(delivery);
    const day = starts.findLastIndex((start) => start <= times[index]!);
    if (day !== -1 && outcome !== 'waiting') days[outcome][day]! += 1;
  }
  return days;
}
