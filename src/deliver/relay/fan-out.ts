import { BEFORE_WEBHOOKS, type WaitingEvent } from '../../messages/outbox/outbox.repository.js';
import type { Webhook } from '../webhooks/webhook.entity.js';
import type { NewDelivery } from '../queue/deliveries.repository.js';

/** The part of a fan-out that fits in one transaction. */
export interface FanOut {
  deliveries: NewDelivery[];
  /** Ids of the events that then have all their deliveries. */
  complete: string[];
  /** The event that did not fit, and the last webhook that got a delivery of it; null when all events are complete. */
  partial: { eventId: string; afterWebhookId: string } | null;
}

/**
 * Computes the deliveries of events, at most `limit` (at least 2) and the people of one alert: one for each webhook that
 * subscribes to the type, one for the channel of the event's alert or report, and one for each member who is notified of it.
 * `subscriptions` are ordered by id; an event continues after its `fanOutAfter`.
 */
export function fanOut(
  events: readonly WaitingEvent[],
  subscriptions: readonly Pick<Webhook, 'id' | 'events'>[],
  limit: number,
  membersOf: ReadonlyMap<string, readonly string[]> = new Map(),
): FanOut {
  const deliveries: NewDelivery[] = [];
  const complete: string[] = [];
  for (const event of events) {
    if (deliveries.length >= limit) return { deliveries, complete, partial: null };
    let afterWebhookId = event.fanOutAfter;
    if (beginsWithChannel(event)) {
      const people = membersOf.get(event.subjectId) ?? [];
      deliveries.push(
        { kind: event.subjectKind, id: event.subjectId, event },
        ...people.map((id) => ({ kind: 'member' as const, id, event })),
      );
      afterWebhookId = BEFORE_WEBHOOKS;
    }
    for (const { id, events: types } of subscriptions) {
      const isDone = event.fanOutAfter !== null && id <= event.fanOutAfter;
      if (isDone || !(types as string[]).includes(event.type)) continue;
      if (deliveries.length >= limit)
        return {
          deliveries,
          complete,
          partial: afterWebhookId === null ? null : { eventId: event.id, afterWebhookId },
        };
      deliveries.push({ kind: 'webhook', id, event });
      afterWebhookId = id;
    }
    complete.push(event.id);
  }
  return { deliveries, complete, partial: null };
}

/** Whether the channel and the people of the event's alert, or the channel of its report, have no deliveries yet. */
export const beginsWithChannel = (
  event: WaitingEvent,
): event is WaitingEvent & { subjectKind: 'alert' | 'report' } =>
  (event.subjectKind === 'alert' || event.subjectKind === 'report') && event.fanOutAfter === null;
