import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { newId } from '../../common/ids.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import type { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import type { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import type { DeliveriesRepository } from '../queue/deliveries.repository.js';
import type { SenderWakeUp } from '../queue/sender-wake-up.js';
import { OutboxRelay } from './outbox-relay.js';

const TRANSACTIONS = {
  run: (work: (tx: EntityManager) => unknown) =>
    work({ query: () => Promise.resolve() } as unknown as EntityManager),
} as TransactionRunner;

const NOBODY = { membersOf: () => Promise.resolve(new Map()) } as unknown as SubscriptionsRepository;

async function runOnce(relay: OutboxRelay): Promise<void> {
  relay.onApplicationBootstrap();
  await new Promise((turn) => setImmediate(turn));
  await relay.beforeApplicationShutdown();
}

const workspaceId = newId();
const EVENT = { workspaceId, id: newId(), type: 'job.completed', subjectKind: 'job', fanOutAfter: null };

/**
 * Relays one event to this many destinations without advancing the clock; returns the numbers of wake-ups and rounds.
 */
async function relayOne(destinations: number): Promise<{ wakeUps: number; rounds: number }> {
  const seen = { wakeUps: 0, rounds: 0 };
  const relay = new OutboxRelay(
    {
      findWaitingWorkspaces: () => {
        seen.rounds += 1;
        return Promise.resolve(seen.rounds === 1 ? [workspaceId] : []);
      },
      lockWaiting: () => Promise.resolve([EVENT]),
      markRelayed: () => Promise.resolve(),
    } as unknown as OutboxRepository,
    { subscriptions: () => Promise.resolve([]) } as unknown as WebhooksRepository,
    NOBODY,
    {
      insert: () => Promise.resolve(Array.from({ length: destinations }, () => ({}))),
      makeDue: () => Promise.resolve(),
    } as unknown as DeliveriesRepository,
    { send: () => (seen.wakeUps += 1) } as unknown as SenderWakeUp,
    TRANSACTIONS,
    new MetricsRegistry(),
  );
  await runOnce(relay);
  return seen;
}

describe('an event that is relayed', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());

  it.each([
    [0, 0],
    [1, 1],
  ])('to %i destinations wakes the senders %i times', async (destinations, expected) => {
    expect((await relayOne(destinations)).wakeUps).toBe(expected);
  });

  it('is followed immediately by another round', async () => {
    expect((await relayOne(0)).rounds).toBe(2);
  });
});

/** Runs a relay whose rounds find these workspaces, until none is left; returns what each transaction did. */
async function relayRounds(
  rounds: string[][],
  { webhooks, failures }: { webhooks: number; failures: number },
): Promise<{ limits: number[]; inserted: number[]; rounds: number }> {
  const seen = { limits: [] as number[], inserted: [] as number[], rounds: 0 };
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const relay = new OutboxRelay(
    {
      findWaitingWorkspaces: () => Promise.resolve(rounds[seen.rounds++] ?? []),
      lockWaiting: (_workspaceId: string, limit: number) => {
        seen.limits.push(limit);
        return Promise.resolve(webhooks === 0 ? [] : [EVENT]);
      },
      markRelayed: () => Promise.resolve(),
      markPartlyRelayed: () => Promise.resolve(),
      recordRelayFailure: () => Promise.resolve(false),
    } as unknown as OutboxRepository,
    {
      subscriptions: () =>
        Promise.resolve(Array.from({ length: webhooks }, () => ({ id: newId(), events: [EVENT.type] }))),
    } as unknown as WebhooksRepository,
    NOBODY,
    {
      insert: (_workspaceId: string, deliveries: unknown[]) => {
        seen.inserted.push(deliveries.length);
        return seen.inserted.length <= failures ? Promise.reject(new Error('refused')) : Promise.resolve([]);
      },
      makeDue: () => Promise.resolve(),
    } as unknown as DeliveriesRepository,
    { send: () => undefined } as unknown as SenderWakeUp,
    TRANSACTIONS,
    new MetricsRegistry(),
  );
  await runOnce(relay);
  return seen;
}

describe('the limits of a transaction of the relay', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }));
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('grow again by one step after each success', async () => {
    const rounds = Array.from({ length: 6 }, () => [workspaceId]);
    const { limits } = await relayRounds(rounds, { webhooks: 1, failures: 2 });
    expect(limits).toEqual([200, 50, 12, 50, 200, 200]);
  });

  it('are followed by the next round when one round cannot have all', async () => {
    const full = Array.from({ length: 64 }, () => newId());
    expect((await relayRounds([full, []], { webhooks: 0, failures: 0 })).rounds).toBe(2);
    expect((await relayRounds([full.slice(1), []], { webhooks: 0, failures: 0 })).rounds).toBe(1);
  });
});
