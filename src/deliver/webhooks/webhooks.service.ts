import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { noteRecord } from '../../http/request/noted-record.js';
import { Problem } from '../../http/problems/problem.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { isMaskedUrl, maskUrl } from '../../infrastructure/outbound-http/masked-url.js';
import {
  type CreateWebhookDto,
  type UpdateWebhookDto,
  WebhookDto,
  type WebhookView,
} from './dto/webhook.dto.js';
import { refuseDestination, transportOf } from '../transports/transports.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type { Webhook } from './webhook.entity.js';
import { WebhooksRepository } from './webhooks.repository.js';

/** How a record is shown. */
interface WebhookDisplay {
  /** Whether only scheme and host of the URL remain. */
  masked?: boolean;
  view?: WebhookView | undefined;
}

/** How the audit log shows a record. */
const NOTED: WebhookDisplay = { masked: true, view: 'full' };

/** Creates, changes and deletes webhooks. */
@Injectable()
export class WebhooksService {
  private readonly logger = new Logger(WebhooksService.name);

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly secrets: WebhookSecrets,
    private readonly http: OutboundHttpClient,
    private readonly transactions: TransactionRunner,
    private readonly quotas: QuotasService,
    private readonly clock: Clock,
  ) {}

  /** Lists all webhooks of a workspace, oldest first. */
  async list(workspaceId: string, display: WebhookDisplay): Promise<WebhookDto[]> {
    return (await this.webhooks.list(workspaceId)).map((webhook) => this.shown(webhook, display));
  }

  /** One webhook. Throws 404. */
  async show(workspaceId: string, id: string, display: WebhookDisplay): Promise<WebhookDto> {
    return this.shown(await this.get(workspaceId, id), display);
  }

  /** Returns the webhook; throws 404 when the workspace has no such webhook. */
  async get(workspaceId: string, id: string): Promise<Webhook> {
    const webhook = await this.webhooks.find(workspaceId, id);
    if (webhook === null) throw Problem.notFound('webhook');
    return webhook;
  }

  /** Creates a webhook; throws 400 for an unusable URL or a missing secret, and 403 beyond the quota. */
  async create(
    workspaceId: string,
    request: CreateWebhookDto,
    display: WebhookDisplay = {},
  ): Promise<WebhookDto> {
    this.check(request.url);
    requireSecret(request.url, request.secret != null);
    const id = newId();
    const webhook: Webhook = {
      workspaceId,
      id,
      sealedUrl: this.secrets.sealUrl(workspaceId, id, request.url),
      events: request.events ?? ['job.completed'],
      format: request.format ?? 'standard',
      sealedSecret: request.secret == null ? null : this.secrets.seal(workspaceId, id, request.secret),
      sealedPreviousSecret: null,
      previousSecretUntil: null,
      isActive: true,
      disabledReason: null,
      lastTriggeredAt: null,
      failureCount: 0,
      failingSince: null,
      createdAt: this.clock.now(),
    };
    await this.transactions.run(async (tx) => {
      await this.quotas.enforce(workspaceId, 'webhooks', 1, tx);
      await this.webhooks.insert(webhook, tx);
    });
    return this.shown(webhook, display);
  }

  /** Updates the given properties of a webhook; throws 400 and 404 as above. */
  async update(
    workspaceId: string,
    id: string,
    request: UpdateWebhookDto,
    display: WebhookDisplay = {},
  ): Promise<WebhookDto> {
    this.check(request.url);
    return this.transactions.run(async (tx) => {
      const webhook = await this.webhooks.lock(workspaceId, id, tx);
      if (webhook === null) throw Problem.notFound('webhook');
      const changes = {
        // Failures of the previous URL say nothing about the new one.
        ...(request.url != null &&
          request.url !== this.urlOf(webhook) && {
            sealedUrl: this.secrets.sealUrl(workspaceId, id, request.url),
            failingSince: null,
          }),
        ...(request.events != null && { events: request.events }),
        ...(request.format != null && { format: request.format }),
        ...(request.is_active != null && switched(request.is_active)),
        ...(request.secret !== undefined && this.secrets.rotate(webhook, request.secret, this.clock.now())),
      };
      const changed = { ...webhook, ...changes };
      // A credential of one destination is of no use to another, and is not sent there.
      const isKept = changes.sealedUrl === undefined || request.secret !== undefined;
      requireSecret(this.urlOf(changed), isKept && changed.sealedSecret !== null);
      if (Object.keys(changes).length > 0) await this.webhooks.update(workspaceId, id, changes, tx);
      noteRecord(this.shown(webhook, NOTED), this.shown(changed, NOTED));
      return this.shown(changed, display);
    });
  }

  /** Deletes a webhook; throws 404 when the workspace has no such webhook. */
  async delete(workspaceId: string, id: string): Promise<void> {
    noteRecord(await this.show(workspaceId, id, NOTED), null);
    if (!(await this.webhooks.delete(workspaceId, id))) throw Problem.notFound('webhook');
  }

  private shown(webhook: Webhook, { masked = false, view = 'list' }: WebhookDisplay): WebhookDto {
    const url = this.urlOf(webhook);
    return WebhookDto.of(webhook, { url: masked ? maskUrl(url) : url, view });
  }

  /** Empty when the encryption key is lost: the webhook stays visible, so that its URL can be replaced. */
  private urlOf(webhook: Webhook): string {
    try {
      return this.secrets.urlOf(webhook);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      const { workspaceId, id: webhookId } = webhook;
      this.logger.error({ err: error, workspaceId, webhookId }, 'webhook URL unreadable');
      return '';
    }
  }

  private check(url: string | undefined): void {
    if (url === undefined) return;
    const refusal = isMaskedUrl(url)
      ? 'is masked; send the whole address'
      : refuseDestination(url, this.http);
    if (refusal !== null) throw Problem.validation([{ field: 'url', message: `url ${refusal}` }]);
  }
}

/** Activating a webhook restarts the five-day period after which failures disable it. */
function switched(isActive: boolean): Partial<Webhook> {
  return { isActive, disabledReason: null, ...(isActive && { failingSince: null }) };
}

/** Throws 400 where the address needs a secret that the webhook does not have. */
function requireSecret(url: string, hasSecret: boolean): void {
  const { requiredSecret } = transportOf(url);
  if (requiredSecret !== null && !hasSecret)
    throw Problem.validation([
      { field: 'secret', message: `secret is required for this url: send ${requiredSecret}` },
    ]);
}
