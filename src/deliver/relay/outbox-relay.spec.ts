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
 * Relays one event whose deliveries cannot be inserted; returns whether that counts as a failure of the event. Appends
 * the first statements of each transaction to `statements`.
 */
async function countsAsFailureOfTheEvent(code: string, statements: string[] = []): Promise<boolean> {
  let end!: (counts: boolean) => void;
  const ended = new Promise<boolean>((resolve) => (end = resolve));
  let isWaiting = true;
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  // The round rejects when the error is the server's.
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => {
    isWaiting = false;
    end(false);
  });
  const relay = new OutboxRelay(
    {
      findWaitingWorkspaces: () => Promise.resolve(isWaiting ? [workspaceId] : []),
      lockWaiting: (_workspaceId: string, limit: number) => {
        statements.push(`lock ${limit} events`);
        return Promise.resolve(isWaiting ? [EVENT] : []);
      },
      recordRelayFailure: () => {
        isWaiting = false;
        end(true);
        return Promise.resolve(false);
      },
    } as unknown as OutboxRepository,
    { subscriptions: () => Promise.resolve([]) } as unknown as WebhooksRepository,
    NOBODY,
    {
      insert: () => Promise.reject(Object.assign(new Error('failed'), { code })),
    } as unknown as DeliveriesRepository,
    {} as SenderWakeUp,
    {
      run: (work: (tx: EntityManager) => unknown) =>
        work({
          query: (statement: string) => Promise.resolve(statements.push(statement)),
        } as unknown as EntityManager),
    } as TransactionRunner,
    new MetricsRegistry(),
  );
  relay.onApplicationBootstrap();
  const counts = await ended;
  await relay.beforeApplicationShutdown();
  return counts;
}

describe('an event that cannot be relayed', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['a statement that ran into its time limit', '57014', true],
    ['a refused row', '23514', true],
    ['a server that cannot be reached', 'ECONNREFUSED', false],
    ['a server that shuts down', '57P01', false],
  ])('because of %s (%s): its own failure is %s', async (_what, code, expected) => {
    expect(await countsAsFailureOfTheEvent(code)).toBe(expected);
  });

  it('is retried with fewer others before its own failure counts', async () => {
    const statements: string[] = [];
    await countsAsFailureOfTheEvent('23514', statements);
    const limits = [200, 50, 12, 3, 1];
    expect(statements.slice(0, 2 * limits.length)).toEqual(
      limits.flatMap((limit) => ['SET LOCAL statement_timeout = 5000', `lock ${limit} events`]),
    );
  });
});

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

  it('are divided by four after each failure, to fifty deliveries at least', async () => {
    const rounds = Array.from({ length: 5 }, () => [workspaceId]);
    const { inserted } = await relayRounds(rounds, { webhooks: 2_000, failures: 5 });
    expect(inserted).toEqual([1_000, 250, 62, 50, 50]);
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
