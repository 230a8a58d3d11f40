import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { type DeletedBatch, type ExpiredRows, Expiries } from '../../tenants/ports/expiries.js';
import { DeliveriesRepository } from './deliveries.repository.js';

/** Events per transaction: their locks last some tens of milliseconds. */
const BATCH = 500;

/** Deletes events with their deliveries; keeps events that have a pending delivery. */
@Injectable()
export class ExpiredEvents {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly outbox: OutboxRepository,
    private readonly deliveries: DeliveriesRepository,
    expiries: Expiries,
  ) {
    expiries.register('deliveries', this.deleteBatch.bind(this));
  }

  /** Deletes the next batch. */
  deleteBatch({ workspaceId, before, after }: ExpiredRows): Promise<DeletedBatch> {
    return this.transactions.run(async (tx) => {
      const events = await this.outbox.lockRelayedOf(workspaceId, before, after, BATCH, tx);
      const pending = await this.deliveries.findPendingEvents(events, tx);
      const ended = events.filter(({ id }) => !pending.has(id));
      await this.outbox.delete(ended, tx);
      const last = events.at(-1);
      return {
        deleted: ended.length,
        isMore: events.length === BATCH,
        after: last === undefined ? null : { time: last.relayedAt, id: last.id },
      };
    });
  }
}
