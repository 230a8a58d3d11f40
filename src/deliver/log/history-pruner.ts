import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { Pruner } from '../../infrastructure/pruning/pruner.js';
import { OutboxRepository, type RelayedEvent } from '../../messages/outbox/outbox.repository.js';
import { DeliveriesRepository } from '../queue/deliveries.repository.js';

/** How long events and their deliveries are kept, in milliseconds. */
export const KEPT_MS = 30 * 86_400_000;
const BATCH = 500;

/**
 * Deletes old events with their deliveries, and queues of destinations that have been idle as long, such as deleted
 * ones.
 */
@Injectable()
export class HistoryPruner {
  /** The last event examined in the current pass. Without it, kept events would fill every batch. */
  private last: RelayedEvent | null = null;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
    pruner: Pruner,
  ) {
    pruner.add('deliveries', () => this.pruneBatch());
  }

  /** Deletes one batch of each kind; keeps events with a pending delivery. Returns whether more rows may be old. */
  async pruneBatch(): Promise<boolean> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const setAside = await this.outbox.deleteSetAsideBefore(before, BATCH);
    const idle = await this.deliveries.deleteIdleQueues(before, BATCH);
    const old = await this.transactions.run(async (tx) => {
      const events = await this.outbox.lockRelayedBefore(before, this.last, BATCH, tx);
      const pending = await this.deliveries.findPendingEvents(events, tx);
      await this.outbox.delete(
        events.filter(({ id }) => !pending.has(id)),
        tx,
      );
      return events;
    });
    const isMore = old.length === BATCH;
    this.last = isMore ? old.at(-1)! : null;
    return isMore || setAside === BATCH || idle === BATCH;
  }
}
