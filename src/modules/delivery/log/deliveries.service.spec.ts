import type { EntityManager } from 'typeorm';
import { newId } from '../../../common/ids.js';
import type { TransactionRunner } from '../../../database/transaction-runner.js';
import type { AlertsService } from '../../alerts/alerts.service.js';
import type { OutboxRepository } from '../../events/outbox.repository.js';
import type { WebhooksService } from '../../webhooks/webhooks.service.js';
import type { DeliveriesRepository } from '../deliveries.repository.js';
import type { DeliveryAttempt } from '../delivery.entity.js';
import type { SenderWakeUp } from '../sender-wake-up.js';
import { DeliveriesService } from './deliveries.service.js';

const ATTEMPT: DeliveryAttempt = {
  at: '2026-03-01T12:00:00.000Z',
  succeeded: false,
  responseCode: 500,
  durationMs: 3,
  error: 'The receiver answered 500',
};

/** The attempt numbers that the log shows for a delivery with this many attempts and recorded entries. */
async function numbersOf(attempts: number, entries: number): Promise<number[]> {
  const [id, eventId] = [newId(), newId()];
  const history = Array.from({ length: entries }, () => ATTEMPT);
  const service = new DeliveriesService(
    {
      find: () => Promise.resolve({ id, eventId, leaseOwner: null, attempts, history }),
    } as unknown as DeliveriesRepository,
    { get: () => Promise.resolve() } as unknown as WebhooksService,
    {} as AlertsService,
    {
      findPayloads: () =>
        Promise.resolve(
          new Map([[eventId, { id: eventId, type: 'job.failed', createdAt: new Date(), data: '{}' }]]),
        ),
    } as unknown as OutboxRepository,
    {} as SenderWakeUp,
    { run: (work: (tx: EntityManager) => unknown) => work({} as EntityManager) } as TransactionRunner,
  );
  const shown = await service.history({ workspaceId: newId(), kind: 'webhook', id: newId() }, id);
  return shown.history.map(({ attempt }) => attempt);
}

describe('the log of a delivery', () => {
  it('numbers the attempts correctly even when the oldest are no longer kept', async () => {
    expect(await numbersOf(0, 0)).toEqual([]);
    expect(await numbersOf(2, 2)).toEqual([1, 2]);
    const numbers = await numbersOf(130, 100);
    expect([numbers[0], numbers.at(-1)]).toEqual([31, 130]);
  });
});
