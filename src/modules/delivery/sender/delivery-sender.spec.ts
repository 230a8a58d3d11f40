import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SystemClock } from '../../../common/clock.js';
import { newId } from '../../../common/ids.js';
import type { Environment } from '../../../config/environment.js';
import type { TransactionRunner } from '../../../database/transaction-runner.js';
import type { EventReference, OutboxRepository } from '../../events/outbox.repository.js';
import type { DeliveryOutcome } from '../../notifications/channel.js';
import type { InactiveWorkspaces } from '../../workspaces/inactive-workspaces.js';
import type { SenderWakeUp } from '../sender-wake-up.js';
import type { DeliveryClaimsRepository, LeasedDelivery } from './delivery-claims.repository.js';
import type { DeliveryDecision } from './delivery-decision.js';
import { DeliverySender } from './delivery-sender.js';
import type { DestinationLoader, LoadedDestination } from './destination-loader.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import { type Allotment, DESTINATION_CONCURRENCY, type DueQueue, MIN_CLAIMED } from './send-limits.js';

const TIMEOUT_MS = 1_000;
const SHUTDOWN_GRACE_MS = 5_000;
/** Slow enough that no more than the fewest deliveries are claimed ahead. */
const DELIVERED: DeliveryOutcome = { ok: true, responseCode: 200, durationMs: 1_000 };
const ABORTED: DeliveryOutcome = { ok: false, responseCode: null, durationMs: 1, error: 'aborted' };

describe('DeliverySender', () => {
  const queue: DueQueue = { workspaceId: newId(), kind: 'webhook', id: newId(), failures: 1 };
  /** Numbers of deliveries that are due, one for each time that the queue is. */
  let due: number[];
  /** How many deliveries each claim could take for the destination. */
  let allotted: number[];
  let leaseMs: number;
  let released: string[];
  let recorded: { decision: DeliveryDecision; wasFailing: boolean }[];
  let attempts: number;
  let load: () => Promise<LoadedDestination>;
  let send: LoadedDestination['send'];
  let record: () => Promise<void>;
  let wake: () => void;
  let sender: DeliverySender;

  beforeEach(() => {
    // Only what a shutdown waits with.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    for (const level of ['log', 'error'] as const) jest.spyOn(Logger.prototype, level).mockReturnValue();
    [due, allotted, released, recorded, attempts] = [[], [], [], [], 0];
    load = () => Promise.resolve({ failingSince: null, refuse: () => null, send });
    send = () => Promise.resolve(DELIVERED);
    record = () => Promise.resolve();
    sender = newSender();
  });
  afterEach(async () => {
    await shutDown();
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const newSender = (): DeliverySender =>
    new DeliverySender(
      {
        lockDueQueues: () => Promise.resolve(due.length > 0 ? [queue] : []),
        lease: (_owner: string, forMs: number, allotments: Allotment[]) => {
          leaseMs = forMs;
          return Promise.resolve(
            allotments.map(({ count }) => {
              allotted.push(count);
              const deliveries = Array.from({ length: Math.min(due.shift()!, count) }, leased);
              return { queue, deliveries, isTruncated: false };
            }),
          );
        },
        release: (_owner: string, deliveries: LeasedDelivery[]) => {
          released.push(...deliveries.map(({ deliveryId }) => deliveryId));
          return Promise.resolve();
        },
      } as unknown as DeliveryClaimsRepository,
      {
        findPayloads: (events: EventReference[]) =>
          Promise.resolve(new Map(events.map(({ id }) => [id, { id, type: 'job.completed', data: '{}' }]))),
      } as unknown as OutboxRepository,
      { load: () => load() } as unknown as DestinationLoader,
      {
        record: (_owner: string, decision: DeliveryDecision, wasFailing: boolean) => {
          recorded.push({ decision, wasFailing });
          return record();
        },
      } as unknown as OutcomeRecorder,
      { listen: (called: () => void) => (wake = called) } as unknown as SenderWakeUp,
      { run: (work: (tx: EntityManager) => unknown) => work({} as EntityManager) } as TransactionRunner,
      new SystemClock(),
      { ids: [], has: () => false } as unknown as InactiveWorkspaces,
      { WEBHOOK_RETRY_SCHEDULE: [10], WEBHOOK_TIMEOUT_MS: TIMEOUT_MS } as unknown as Environment,
    );
  const leased = (): LeasedDelivery => ({
    destination: queue,
    deliveryId: newId(),
    eventId: newId(),
    attempts: 0,
    schedulePosition: 0,
  });
  /** Resolves once the condition holds; the bound is the test's own time-out. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }
  /** Sends until an attempt is to be made or was for each delivery that can be. */
  function begin(...numbers: number[]): void {
    due = numbers;
    if (allotted.length === 0) sender.onApplicationBootstrap();
    else wake();
  }
  async function shutDown(): Promise<void> {
    let isDown = false;
    const down = sender.beforeApplicationShutdown().then(() => (isDown = true));
    while (!isDown) {
      await jest.advanceTimersByTimeAsync(SHUTDOWN_GRACE_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await down;
  }

  it('gives back at its end what it has not sent and what it had to abort, and counts neither as a failure', async () => {
    send = (_delivery, signal) => {
      attempts += 1;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(ABORTED)));
    };
    begin(DESTINATION_CONCURRENCY + 4);
    await until(() => attempts === DESTINATION_CONCURRENCY);
    await shutDown();
    expect([released.length, new Set(released).size, recorded]).toEqual([
      DESTINATION_CONCURRENCY + 4,
      DESTINATION_CONCURRENCY + 4,
      [],
    ]);
  });

  it('gives back at its end what it had claimed while its destination was loaded', async () => {
    let loaded!: (destination: LoadedDestination) => void;
    load = () => new Promise((resolve) => (loaded = resolve));
    begin(3);
    await until(() => loaded !== undefined);
    const down = shutDown();
    loaded({ failingSince: null, refuse: () => null, send });
    await down;
    expect([released.length, recorded]).toEqual([3, []]);
  });

  it('has its places again when a destination could not be loaded or an outcome not be recorded', async () => {
    let isRefused = false;
    load = () => {
      isRefused = true;
      return Promise.reject(new Error('the database is away'));
    };
    begin(20);
    await until(() => isRefused);
    load = () => Promise.resolve({ failingSince: null, refuse: () => null, send });
    record = () => Promise.reject(new Error('the database is away'));
    begin(20);
    await until(() => recorded.length === 20);
    begin(1);
    await until(() => allotted.length === 3);
    expect(allotted).toEqual([MIN_CLAIMED, MIN_CLAIMED, MIN_CLAIMED]);
  });

  it('says of a success that its destination had failed before it, and leases for longer than sending may take', async () => {
    begin(1);
    await until(() => recorded.length === 1);
    expect(recorded[0]).toMatchObject({ wasFailing: true, decision: { status: 'delivered' } });
    expect(leaseMs).toBeGreaterThan(3 * TIMEOUT_MS);
  });
});
