import type { WaitingEvent } from '../../events/outbox.repository.js';
import type { Webhook } from '../../webhooks/webhook.entity.js';
import type { NewDelivery } from '../deliveries.repository.js';

/** The deliveries of an event: one for each webhook that subscribes to its type, and one for the channel of its alert. */
export function fanOut(
  event: WaitingEvent,
  subscriptions: readonly Pick<Webhook, 'id' | 'events'>[],
): NewDelivery[] {
  const webhooks = subscriptions
    .filter(({ events }) => (events as string[]).includes(event.type))
    .map(({ id }): NewDelivery => ({ kind: 'webhook', id, event }));
  const { subjectKind, subjectId } = event;
  return subjectKind === 'alert' && subjectId !== null
    ? [...webhooks, { kind: 'alert', id: subjectId, event }]
    : webhooks;
}
