import type { EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { AlertsService } from '../../alerts/service/alerts.service.js';
import type { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { WebhooksService } from '../webhooks/webhooks.service.js';
import type { DeliveriesRepository } from '../queue/deliveries.repository.js';
import type { Delivery, DeliveryAttempt } from '../queue/delivery.entity.js';
import type { SenderWakeUp } from '../queue/sender-wake-up.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto } from './delivery.dto.js';

const ATTEMPT: DeliveryAttempt = {
  at: '2026-03-01T12:00:00.000Z',
  succeeded: false,
  responseCode: 500,
  durationMs: 3,
  error: 'The receiver answered 500',
};

const DESTINATION = { workspaceId: newId(), kind: 'webhook' as const, id: newId() };

/** A log with these deliveries, whose events exist unless `isPruned`. */
function logOf(deliveries: object, { isPruned = false } = {}): DeliveriesService {
  const event = (id: string) => ({
    id,
    type: 'job.failed',
    createdAt: new Date(),
    subjectKind: 'job',
    subjectId: newId(),
    data: '{}',
  });
  return new DeliveriesService(
    deliveries as DeliveriesRepository,
    { get: () => Promise.resolve({ format: 'standard' }) } as unknown as WebhooksService,
    {} as AlertsService,
    {
      findPayloads: ([{ id }]: [{ id: string }]) =>
        Promise.resolve(new Map(isPruned ? [] : [[id, event(id)]])),
    } as unknown as OutboxRepository,
    {} as SenderWakeUp,
    { run: (work: (tx: EntityManager) => unknown) => work({} as EntityManager) } as TransactionRunner,
  );
}

/** A delivery with this many attempts and recorded entries. */
const delivery = (attempts: number, entries: number) => ({
  id: newId(),
  eventId: newId(),
  leaseOwner: null,
  attempts,
  history: Array.from({ length: entries }, () => ATTEMPT),
});

/** The attempt numbers that the log shows for a delivery. */
async function numbersOf(attempts: number, entries: number): Promise<number[]> {
  const log = logOf({ find: () => Promise.resolve(delivery(attempts, entries)) });
  const shown = await log.history(DESTINATION, newId());
  return shown.history.map(({ attempt }) => attempt);
}

describe('the log of a delivery', () => {
  it('numbers the attempts correctly even when the oldest are no longer kept', async () => {
    expect(await numbersOf(0, 0)).toEqual([]);
    expect(await numbersOf(2, 2)).toEqual([1, 2]);
    const numbers = await numbersOf(130, 100);
    expect([numbers[0], numbers.at(-1)]).toEqual([31, 130]);
  });

  it('is not found when its event was pruned meanwhile', async () => {
    const log = logOf({ find: () => Promise.resolve(delivery(1, 1)) }, { isPruned: true });
    await expect(log.history(DESTINATION, newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a page of the log', () => {
  it.each([
    { offset: 0, hasMore: true },
    { offset: 1, hasMore: true },
    { offset: 2, hasMore: false },
  ])('after $offset of three deliveries has more: $hasMore', async ({ offset, hasMore }) => {
    const pages: object[] = [];
    const log = logOf({
      list: (_destination: object, filter: object, page: object) => {
        pages.push({ ...filter, ...page });
        return Promise.resolve([[delivery(1, 1)], 3]);
      },
    });
    const shown = await log.list(DESTINATION, { limit: 1, offset, status: 'failed' });
    expect([shown.total, shown.has_more, pages]).toEqual([
      3,
      hasMore,
      [{ limit: 1, offset, status: 'failed' }],
    ]);
  });
});

describe('a delivery that is being sent', () => {
  it('shows no time of a next attempt', () => {
    const nextAttemptAt = new Date();
    const shown = [null, newId()].map((leaseOwner) =>
      DeliveryDto.from({ nextAttemptAt, leaseOwner } as unknown as Delivery),
    );
    expect(shown.map((one) => one.next_attempt_at)).toEqual([nextAttemptAt, null]);
  });
});
