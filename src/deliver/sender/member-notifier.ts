import { Injectable } from '@nestjs/common';
import { parseId } from '../../common/ids.js';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import type { AlertNotification, Channel, DeliveryOutcome } from '../../messages/channels/channel.js';
import { unsendable } from '../../messages/channels/post-json.js';
import { Subscribers } from '../subscriptions/subscribers.js';
import type { Destination } from '../queue/destination.js';

/** Notifies members of alerts by e-mail, at their own addresses. */
@Injectable()
export class MemberNotifier {
  constructor(private readonly subscribers: Subscribers) {}

  /**
   * Sends one notification. The subscription is read for each attempt, so that a member who was removed or has
   * unsubscribed gets nothing from then on. Never throws: every failure is returned as an outcome.
   */
  async send(
    { workspaceId, id }: Destination,
    notification: AlertNotification,
    email: Channel,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    try {
      const alertId = parseId('alert', notification.alertId);
      const subscriber = alertId === null ? null : await this.subscribers.find(workspaceId, id, alertId);
      if (subscriber === null) return unsendable('The person is not notified of this alert any more');
      const { address, unsubscribe } = subscriber;
      const own = { ...notification, ...(unsubscribe && { unsubscribe }) };
      return await email.send(own, { to: [address] }, signal);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return unsendable(error.message);
      return { ok: false, responseCode: null, durationMs: 0, error: 'The address could not be read' };
    }
  }
}
