import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { normalEmail } from '../../common/email-address.js';
import { newId, parseId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Problem } from '../../http/problems/problem.js';
import { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import { MembersRepository } from '../../access/api-keys/members.repository.js';
import { recipientsOf } from '../../messages/channels/channel-config.js';
import { ServiceMailer } from '../../messages/channels/service-mailer.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { NotificationSettings, UpdateNotificationSettingsDto } from './dto/notification-settings.dto.js';
import { NotificationAddresses } from './notification-addresses.js';
import { type LinkTarget, NotificationLinks } from './notification-links.js';
import type { Person } from './person.js';
import { SubscriptionsRepository } from './subscriptions.repository.js';

/** Validity of the link that confirms an address, in milliseconds. */
const CONFIRMATION_MS = 86_400_000;
const LINK_ENDED = 'This link was used already, has expired, or was replaced by a newer one.';

/** Where each member is notified, and of which alerts. */
@Injectable()
export class NotificationSettingsService {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly addresses: NotificationAddresses,
    private readonly links: NotificationLinks,
    private readonly alerts: AlertsRepository,
    private readonly members: MembersRepository,
    private readonly mailer: ServiceMailer,
    private readonly quotas: QuotasService,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  async get({ workspaceId, memberId, email }: Person): Promise<NotificationSettings> {
    const { confirmed, pending } = await this.addresses.of(workspaceId, memberId);
    const isPending = pending !== null && pending.expiresAt > this.clock.now().getTime();
    return {
      email: confirmed ?? email,
      pendingEmail: isPending ? pending.address : null,
      alertIds: await this.subscriptions.alertsOf(workspaceId, memberId),
    };
  }

  /** Throws 400 for an address that cannot be used, 403 `quota_exceeded`, and 404 for an alert that does not exist. */
  async update(
    person: Person,
    { email, add_alert_ids: added = [], remove_alert_ids: removed = [] }: UpdateNotificationSettingsDto,
  ): Promise<NotificationSettings> {
    const { workspaceId, memberId } = person;
    const [add, remove] = [added.map(alertIdOf), removed.map(alertIdOf)];
    if (add.length + remove.length > 0)
      await this.transactions.run(async (tx) => {
        const own = new Set(await this.subscriptions.alertsOf(workspaceId, memberId, tx));
        const missing = [...new Set(add)].filter((id) => !own.has(id)).sort();
        if (missing.length > 0) {
          await this.quotas.enforce(workspaceId, 'alert_subscriptions', missing.length, tx);
          // In the order of ids, as others lock several alerts.
          for (const id of missing)
            if ((await this.alerts.lock(workspaceId, id, tx)) === null) throw Problem.notFound('alert');
          await this.subscriptions.add(workspaceId, memberId, missing, tx);
        }
        if (remove.length > 0) await this.subscriptions.remove(workspaceId, memberId, remove, tx);
      });
    if (email !== undefined) await this.setAddress(person, email?.trim() ?? null);
    return this.get(person);
  }

  /** Makes the address of a link the member's own; returns the member. Throws 404. */
  async confirm(token: string): Promise<Person> {
    const target = this.links.read(token, 'confirm address');
    const person = target === null ? null : await this.find(target);
    if (
      person === null ||
      !(await this.addresses.confirm(person.workspaceId, person.memberId, target!.subject, this.clock.now()))
    )
      throw new Problem('not_found', LINK_ENDED);
    return person;
  }

  /**
   * Ends the subscription of a link, which may have ended before; returns the member, null for one who was removed.
   * Throws 404 for a token that this service has not made.
   */
  async unsubscribe(token: string): Promise<Person | null> {
    const target = this.links.read(token, 'unsubscribe');
    if (target === null) throw new Problem('not_found', 'This link is not one of this service.');
    await this.subscriptions.remove(target.workspaceId, target.memberId, [target.subject]);
    return this.find(target);
  }

  private async find({ workspaceId, memberId }: LinkTarget): Promise<Person | null> {
    const member = await this.members.find(workspaceId, memberId);
    return member === null ? null : { workspaceId, memberId, email: member.email! };
  }

  /** Sets the address: that of the account at once, another one when it is confirmed. */
  private async setAddress({ workspaceId, memberId, email }: Person, address: string | null): Promise<void> {
    const { confirmed } = await this.addresses.of(workspaceId, memberId);
    if (address === null || normalEmail(address) === email)
      return this.addresses.set(workspaceId, memberId, { confirmed: null, pending: null });
    if (address === confirmed) return this.addresses.set(workspaceId, memberId, { confirmed, pending: null });
    if (recipientsOf([address]) === null) throw refused('must be an email address');
    const nonce = newId();
    const link = this.links.confirmation({ workspaceId, memberId, subject: nonce });
    if (link === null) throw refused('cannot be confirmed, because the operator has not set PUBLIC_URL');
    const refusal = await this.mailer.send(workspaceId, address, {
      subject: 'Confirm your address for notifications of Workspace Scraping',
      text: `${email} wants to be notified at this address. To confirm it within a day, open:\n${link}\n\nIf this is not you, ignore this email; nothing else is sent to you.\n`,
    });
    if (refusal !== null) throw refused(`cannot be confirmed: ${refusal}`);
    const expiresAt = this.clock.now().getTime() + CONFIRMATION_MS;
    await this.addresses.set(workspaceId, memberId, { confirmed, pending: { address, nonce, expiresAt } });
  }
}

const refused = (reason: string): Problem =>
  Problem.validation([{ field: 'email', message: `email ${reason}` }]);

/** Throws 404 unless the text is the id of an alert. */
function alertIdOf(text: string): string {
  const id = parseId('alert', text);
  if (id === null) throw Problem.notFound('alert');
  return id;
}
