import { Injectable } from '@nestjs/common';
import { MembersRepository } from '../../access/api-keys/members.repository.js';
import { NotificationAddresses } from './notification-addresses.js';
import { NotificationLinks, type UnsubscribeLinks } from './notification-links.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

/** A member who is to be notified, and how. */
export interface Subscriber {
  address: string;
  unsubscribe: UnsubscribeLinks | undefined;
}

/** The members who are notified of alerts, for the deliveries to them. */
@Injectable()
export class Subscribers {
  constructor(
    private readonly members: MembersRepository,
    private readonly subscriptions: SubscriptionsRepository,
    private readonly addresses: NotificationAddresses,
    private readonly links: NotificationLinks,
  ) {}

  /**
   * How to notify a member of an alert now; null when the member was removed or is not notified of it any more. Throws
   * `SecretUnreadableError`.
   */
  async find(workspaceId: string, memberId: string, alertId: string): Promise<Subscriber | null> {
    const member = await this.members.find(workspaceId, memberId);
    if (member === null || !(await this.subscriptions.has(workspaceId, memberId, alertId))) return null;
    const { confirmed } = await this.addresses.of(workspaceId, memberId);
    return {
      address: confirmed ?? member.email!,
      unsubscribe: this.links.unsubscribe({ workspaceId, memberId, subject: alertId }),
    };
  }
}
