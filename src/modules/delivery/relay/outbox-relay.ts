import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupBy } from '../../../common/group-by.js';
import { PollingLoop } from '../../../common/polling-loop.js';
import { TransactionRunner } from '../../../database/transaction-runner.js';
import { OutboxRepository, type WaitingEvent } from '../../events/outbox.repository.js';
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js';
import { DeliveriesRepository } from '../deliveries.repository.js';
import type { Destination } from '../destination.js';
import { SenderWakeUp } from '../sender-wake-up.js';
import { fanOut } from './fan-out.js';

const POLL_MS = 500;
const BATCH = 200;

/** Turns events into deliveries. Several processes may do so at once: an event gets one delivery for each destination. */
@Injectable()
export class OutboxRelay implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(OutboxRelay.name);
  private readonly loop = new PollingLoop(
    () => this.relayBatch(),
    POLL_MS,
    (error) => this.logger.error({ err: error }, 'relaying events failed'),
  );

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly wakeUp: SenderWakeUp,
    private readonly transactions: TransactionRunner,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Relays a batch of events in one transaction; returns whether more may be waiting. */
  private async relayBatch(): Promise<boolean> {
    const { count, added } = await this.transactions.run(async (tx) => {
      const events = await this.outbox.lockWaiting(BATCH, tx);
      const own = groupBy(events, (event) => event.workspaceId);
      // In lock order, with all destination queues last.
      const workspaces = [...own.keys()].sort();
      const rows: Destination[] = [];
      for (const workspaceId of workspaces)
        rows.push(...(await this.relay(workspaceId, own.get(workspaceId)!, tx)));
      for (const workspaceId of workspaces)
        await this.deliveries.makeDue(
          workspaceId,
          rows.filter((row) => row.workspaceId === workspaceId),
          tx,
        );
      return { count: events.length, added: rows.length };
    });
    if (added > 0) this.wakeUp.send();
    return count === BATCH;
  }

  private async relay(
    workspaceId: string,
    events: readonly WaitingEvent[],
    tx: EntityManager,
  ): Promise<Destination[]> {
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
