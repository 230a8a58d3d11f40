import { Injectable } from '@nestjs/common';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import { ReportsRepository } from '../../alerts/reports/reports.repository.js';
import { WebhookSecrets } from '../webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import type { Destination } from '../queue/destination.js';

/** Names destinations for operators. */
@Injectable()
export class DestinationNames {
  constructor(
    private readonly alerts: AlertsRepository,
    private readonly reports: ReportsRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
  ) {}

  /**
   * The name of an alert or report, or the host of a webhook, whose path may contain a token. Null for a member, and
   * when the destination is deleted or its URL cannot be decrypted.
   */
  async of({ workspaceId, kind, id }: Destination): Promise<string | null> {
    if (kind === 'member') return null;
    if (kind === 'report') return (await this.reports.find(workspaceId, id))?.name ?? null;
    if (kind === 'alert') return (await this.alerts.find(workspaceId, id))?.name ?? null;
    const webhook = await this.webhooks.find(workspaceId, id);
    if (webhook === null) return null;
    try {
      return new URL(this.secrets.urlOf(webhook)).host;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}
