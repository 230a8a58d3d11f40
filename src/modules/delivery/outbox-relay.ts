import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { groupBy } from '../../common/group-by.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { DeliveryPayload } from '../../infrastructure/queue/queues.js';
import { OutboxRepository, type WaitingEvent } from '../events/outbox.repository.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryQueue } from './delivery-queue.js';
import { destinationKey } from './destination.js';
import { fanOut } from './fan-out.js';

const POLL_MS = 500;
const BATCH = 200;
/** A relay that has not written its deliveries by then has died; another one takes its events. */
const LEASE_MS = 5_000;

/** Turns events into deliveries. Several may run at once; an event and a destination never make two deliveries. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly loop = new PollingLoop(
    () => this.relayBatch(),
    POLL_MS,
    (error) => this.logger.error({ err: error }, 'events could not be relayed'),
  );

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly queue: DeliveryQueue,
    private readonly transactions: TransactionRunner,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Whether there may be more events. */
  private async relayBatch(): Promise<boolean> {
    const events = await this.outbox.lease(BATCH, LEASE_MS);
    for (const [workspaceId, own] of groupBy(events, (event) => event.workspaceId)) {
      const announced = await this.relay(workspaceId, own);
      await this.queue.announce(announced);
    }
    return events.length === BATCH;
  }

  /** One delivery a destination, for the queue: a worker that looks at a destination finds all that is due there. */
  private async relay(workspaceId: string, events: readonly WaitingEvent[]): Promise<DeliveryPayload[]> {
    const subscriptions = await this.webhooks.subscriptions(workspaceId);
    const wanted = events.flatMap((event) => fanOut(event, subscriptions));
    const added = await this.transactions.run(async (tx) => {
      const rows = await this.deliveries.insert(workspaceId, wanted, tx);
      await this.outbox.markRelayed(
        workspaceId,
        events.map(({ id }) => id),
        tx,
      );
      return rows;
    });
    const byDestination = new Map(added.map((row) => [destinationKey(row), row.deliveryId]));
    return [...byDestination.values()].map((deliveryId) => ({ workspaceId, deliveryId }));
  }
}
