import { parseId } from '../../common/ids.js';
import type { WaitingEvent } from '../events/outbox.repository.js';
import type { Webhook } from '../webhooks/webhook.entity.js';
import type { NewDelivery } from './deliveries.repository.js';

/** Where an event goes: to each webhook that wants its kind, and to the channel of the alert that it tells. */
export function fanOut(
  event: WaitingEvent,
  subscriptions: readonly Pick<Webhook, 'id' | 'events'>[],
): NewDelivery[] {
  const webhooks = subscriptions
    .filter(({ events }) => (events as string[]).includes(event.type))
    .map(({ id }): NewDelivery => ({ kind: 'webhook', id, event }));
  const alertId =
    event.type === 'alert.triggered' && event.subjectId !== null ? parseId('alert', event.subjectId) : null;
  return alertId === null ? webhooks : [...webhooks, { kind: 'alert', id: alertId, event }];
}
