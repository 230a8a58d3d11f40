import type { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import { type DeletedBatch, type ExpiredRows, Expiries } from '../../tenants/ports/expiries.js';
import type { DeliveriesRepository } from './deliveries.repository.js';
import { ExpiredEvents } from './expired-events.js';

describe('a batch of expired events', () => {
  /** The batch of so many events with the ids 0, 1 and so on, of which some have a pending delivery. */
  async function batchOf(count: number, pending: number[]): Promise<DeletedBatch & { left: number }> {
    const events = Array.from({ length: count }, (_, id) => ({ id, relayedAt: new Date(id) }));
    let left = count;
    const expired = new ExpiredEvents(
      { run: (work: (tx: null) => unknown) => work(null) } as unknown as TransactionRunner,
      {
        lockRelayedOf: (_workspace: string, _before: Date, _after: null, limit: number) =>
          events.slice(0, limit),
        delete: (ended: unknown[]) => (left -= ended.length),
      } as unknown as OutboxRepository,
      { findPendingEvents: () => new Set(pending) } as unknown as DeliveriesRepository,
      new Expiries(),
    );
    return { ...(await expired.deleteBatch({ workspaceId: 'w' } as ExpiredRows)), left };
  }

  it.each([
    [0, [], 0, false, null],
    [1, [0], 0, false, 0],
    [499, [], 499, false, 498],
    [500, [], 500, true, 499],
    [500, [3], 499, true, 499],
    [500, [499], 499, true, 499],
    [501, [], 500, true, 499],
  ])(
    'of %i, of which %j are pending, deletes %i: there may be more: %s',
    async (count, pending, deleted, isMore, last) => {
      const batch = await batchOf(count, pending);
      const after = last === null ? null : { time: new Date(last), id: last };
      expect(batch).toEqual({ deleted, isMore, after, left: count - deleted });
    },
  );
});
