import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { publicId } from '../../common/ids.js';
import { Problem } from '../../http/problems/problem.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { AlertsService } from '../../alerts/service/alerts.service.js';
import { AlertSummaryDto } from '../../alerts/alert/alert.dto.js';
import { testTriggering } from '../../alerts/matching/triggering.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { DeliveriesRepository } from '../queue/deliveries.repository.js';
import type { Delivery } from '../queue/delivery.entity.js';
import { SenderWakeUp } from '../queue/sender-wake-up.js';
import type { Destination } from '../queue/destination.js';
import { webhookBody, type WebhookFormat } from '../webhooks/webhook-body.js';
import {
  DeliveryAttemptDto,
  DeliveryDto,
  type DeliveryHistoryDto,
  type DeliveryPageDto,
  type ListDeliveriesDto,
} from './delivery.dto.js';

/** A destination that can be sent a test event. */
type TestableDestination = Destination & { kind: 'webhook' | 'alert' };

/** Serves the delivery log of webhooks, alerts and members, and sends test events and redeliveries. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly webhooks: WebhooksService,
    private readonly alerts: AlertsService,
    private readonly outbox: OutboxRepository,
    private readonly wakeUp: SenderWakeUp,
    private readonly transactions: TransactionRunner,
  ) {}

  /** A page of a destination's deliveries; 404 when the destination does not exist. */
  async list(destination: Destination, query: ListDeliveriesDto): Promise<DeliveryPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0, ...filter } = query;
    await this.formatOf(destination);
    const [rows, total] = await this.deliveries.list(destination, filter, { limit, offset });
    return {
      deliveries: rows.map((delivery) => DeliveryDto.from(delivery)),
      total,
      has_more: offset + rows.length < total,
    };
  }

  /** A delivery with its attempts and its event; 404 when the destination has no such delivery. */
  async history(destination: Destination, deliveryId: string): Promise<DeliveryHistoryDto> {
    const { workspaceId } = destination;
    const format = await this.formatOf(destination);
    const delivery = await this.found(destination, deliveryId);
    const { attempts, history } = delivery;
    const events = await this.transactions.run((tx) =>
      this.outbox.findPayloads([{ workspaceId, id: delivery.eventId }], tx),
    );
    const event = events.get(delivery.eventId);
    // The event was pruned after the delivery was read, and the delivery with it.
    if (event === undefined) throw Problem.notFound('delivery');
    return {
      ...DeliveryDto.from(delivery),
      payload: JSON.parse(webhookBody(workspaceId, event, format)) as Record<string, unknown>,
      history: history.map((attempt, index) =>
        DeliveryAttemptDto.from(attempt, attempts - history.length + index + 1),
      ),
    };
  }

  /** Sends a test event to a webhook or to the channel of an alert, even if it is disabled. */
  async sendTest(destination: TestableDestination): Promise<DeliveryDto> {
    const { workspaceId, kind, id } = destination;
    const data = await this.testData(destination);
    const deliveryId = await this.transactions.run(async (tx) => {
      const event = await this.outbox.appendTest(workspaceId, `${kind}.test`, id, data, tx);
      const [added] = await this.deliveries.insert(workspaceId, [{ kind, id, event }], tx);
      await this.deliveries.makeDue(workspaceId, [destination], tx);
      return added!.deliveryId;
    });
    this.wakeUp.send();
    return DeliveryDto.from(await this.get(destination, deliveryId));
  }

  /** Sends a delivery again, whatever its status; the `webhook-id` stays the same. */
  async redeliver(destination: Destination, deliveryId: string): Promise<DeliveryDto> {
    await this.get(destination, deliveryId);
    await this.transactions.run((tx) => this.deliveries.restart(destination, deliveryId, tx));
    this.wakeUp.send();
    return DeliveryDto.from(await this.get(destination, deliveryId));
  }

  private async testData({ workspaceId, kind, id }: TestableDestination): Promise<object> {
    if (kind === 'alert') return testTriggering(AlertSummaryDto.from(await this.alerts.get(workspaceId, id)));
    await this.webhooks.get(workspaceId, id);
    return { webhook_id: publicId('webhook', id), message: 'This is a test' };
  }

  private async get(destination: Destination, deliveryId: string): Promise<Delivery> {
    await this.formatOf(destination);
    return this.found(destination, deliveryId);
  }

  private async found(destination: Destination, deliveryId: string): Promise<Delivery> {
    const delivery = await this.deliveries.find(destination, deliveryId);
    if (delivery === null) throw Problem.notFound('delivery');
    return delivery;
  }

  /** The form of what a destination receives. Throws 404 when it does not exist; the member of a request does. */
  private async formatOf({ workspaceId, kind, id }: Destination): Promise<WebhookFormat> {
    if (kind === 'webhook') return (await this.webhooks.get(workspaceId, id)).format;
    if (kind === 'alert') await this.alerts.get(workspaceId, id);
    return 'standard';
  }
}
