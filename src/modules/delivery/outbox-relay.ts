import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupBy } from '../../common/group-by.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository, type WaitingEvent } from '../events/outbox.repository.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { type AddedDelivery, DeliveriesRepository } from './deliveries.repository.js';
import { DeliveryQueue } from './delivery-queue.js';
import { destinationKey } from './destination.js';
import { fanOut } from './fan-out.js';

const POLL_MS = 500;
const BATCH = 200;

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
    const { count, added } = await this.transactions.run(async (tx) => {
      const events = await this.outbox.take(BATCH, tx);
      const own = groupBy(events, (event) => event.workspaceId);
      // In the order in which rows are locked, all lanes last.
      const workspaces = [...own.keys()].sort();
      const rows: AddedDelivery[] = [];
      for (const workspaceId of workspaces)
        rows.push(...(await this.relay(workspaceId, own.get(workspaceId)!, tx)));
      for (const workspaceId of workspaces)
        await this.deliveries.makeDue(
          workspaceId,
          rows.filter((row) => row.workspaceId === workspaceId),
          tx,
        );
      return { count: events.length, added: rows };
    });
    // One a destination: a worker that looks at a destination finds all that is due there.
    const byDestination = new Map(added.map((row) => [destinationKey(row), row]));
    await this.queue.announce(
      [...byDestination.values()].map(({ workspaceId, deliveryId }) => ({ workspaceId, deliveryId })),
    );
    return count === BATCH;
  }

  private async relay(
    workspaceId: string,
    events: readonly WaitingEvent[],
    tx: EntityManager,
  ): Promise<AddedDelivery[]> {
    const subscriptions = await this.webhooks.subscriptions(workspaceId);
    const wanted = events.flatMap((event) => fanOut(event, subscriptions));
    const added = await this.deliveries.insert(workspaceId, wanted, tx);
    await this.outbox.markRelayed(
      workspaceId,
      events.map(({ id }) => id),
      tx,
    );
    return added;
  }
}
