import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SystemClock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import type { Environment } from '../../config/environment.js';
import type { TransactionRunner } from '../../database/transaction-runner.js';
import type { EventReference, OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import type { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import type { SenderWakeUp } from '../queue/sender-wake-up.js';
import type {
  DeliveryClaimsRepository,
  LeasedDelivery,
  QueueFilter,
} from '../queue/delivery-claims.repository.js';
import type { DeliveryDecision } from '../queue/delivery-decision.js';
import { DeliverySender } from './delivery-sender.js';
import type { DestinationLoader, LoadedDestination } from './destination-loader.js';
import type { OutcomeRecorder } from './outcome-recorder.js';
import {
  type Allotment,
  CIRCUIT_OPEN_AFTER,
  DESTINATION_CONCURRENCY,
  type DueQueue,
  MIN_CLAIMED,
} from '../queue/send-limits.js';

const TIMEOUT_MS = 1_000;
const SHUTDOWN_GRACE_MS = 5_000;
/** Slow enough that claims take only the minimum number of deliveries. */
const DELIVERED: DeliveryOutcome = { ok: true, responseCode: 200, durationMs: 1_000 };
const REFUSED: DeliveryOutcome = { ok: false, responseCode: 500, durationMs: 1_000 };
const ABORTED: DeliveryOutcome = { ok: false, responseCode: null, durationMs: 1, error: 'aborted' };

describe('DeliverySender', () => {
  let queue: DueQueue;
  /** Numbers of the deliveries that are due, one per time that the queue is due. */
  let due: number[];
  /** Whether claims are truncated at their limit. */
  let isTruncated: boolean;
  /** How many deliveries each claim was allowed to take for the destination. */
  let allotted: number[];
  /** Destinations that each claim excluded. */
  let leftOut: (readonly string[])[];
  /** Workspaces that the latest claim excluded, and those whose open circuits it excluded. */
  let excluded: Pick<QueueFilter, 'exceptWorkspaces' | 'exceptProbesOf'>;
  /** Ids of workspaces that are suspended. */
  let suspended: string[];
  /** How long the queue is not claimed after a claim. */
  let pauseMs: number;
  let leaseMs: number;
  let released: string[];
  let recorded: { decision: DeliveryDecision; wasFailing: boolean }[];
  let attempts: number;
  /** Called when the transaction of a claim is about to be committed. */
  let commits: () => void;
  let load: () => Promise<LoadedDestination>;
  let send: LoadedDestination['send'];
  let record: () => Promise<void>;
  let wake: () => void;
  let sender: DeliverySender;

  beforeEach(() => {
    // Contains only what a shutdown waits for.
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    for (const level of ['log', 'error'] as const) jest.spyOn(Logger.prototype, level).mockReturnValue();
    queue = { workspaceId: newId(), kind: 'webhook', id: newId(), failures: 1 };
    isTruncated = false;
    [due, allotted, leftOut, released, recorded, attempts, suspended] = [[], [], [], [], [], 0, []];
    commits = () => undefined;
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

  const newSender = (schedule = [10]): DeliverySender =>
    new DeliverySender(
      {
        lockDueQueues: ({ exceptDestinations, exceptWorkspaces, exceptProbesOf }: QueueFilter) => {
          leftOut.push(exceptDestinations);
          excluded = { exceptWorkspaces, exceptProbesOf };
          return Promise.resolve(due.length > 0 ? [queue] : []);
        },
        lease: (_owner: string, forMs: number, allotments: Allotment[]) => {
          leaseMs = forMs;
          return Promise.resolve(
            allotments.map(({ count, pauseMs: paused }) => {
              allotted.push(count);
              pauseMs = paused;
              const deliveries = Array.from({ length: Math.min(due.shift()!, count) }, leased);
              return { queue, deliveries, isTruncated };
            }),
          );
        },
        release: (_owner: string, deliveries: LeasedDelivery[]) => {
          released.push(...deliveries.map(({ deliveryId }) => deliveryId));
          return Promise.resolve();
        },
      } as unknown as DeliveryClaimsRepository,
      {
        findPayloads: (events: EventReference[]) => {
          commits();
          return Promise.resolve(
            new Map(events.map(({ id }) => [id, { id, type: 'job.completed', data: '{}' }])),
          );
        },
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
      {
        get ids() {
          return suspended;
        },
        has: (id: string) => suspended.includes(id),
      } as unknown as InactiveWorkspaces,
      { WEBHOOK_RETRY_SCHEDULE: schedule, WEBHOOK_TIMEOUT_MS: TIMEOUT_MS } as unknown as Environment,
    );
  const leased = (): LeasedDelivery => ({
    destination: queue,
    deliveryId: newId(),
    eventId: newId(),
    attempts: 0,
    schedulePosition: 0,
  });
  const unanswered: LoadedDestination['send'] = (_delivery, signal) => {
    attempts += 1;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(ABORTED)));
  };
  /** Resolves once the condition holds; bounded by the test's timeout. */
  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }
  /** Starts sending and waits until every sendable delivery is being attempted or was attempted. */
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

  it('releases unsent and aborted deliveries on shutdown, not as failures', async () => {
    send = unanswered;
    begin(DESTINATION_CONCURRENCY + 4);
    await until(() => attempts === DESTINATION_CONCURRENCY);
    await shutDown();
    expect([released.length, new Set(released).size, recorded]).toEqual([
      DESTINATION_CONCURRENCY + 4,
      DESTINATION_CONCURRENCY + 4,
      [],
    ]);
  });

  it('releases on shutdown what it had claimed while the destination was being loaded', async () => {
    let loaded!: (destination: LoadedDestination) => void;
    load = () => new Promise((resolve) => (loaded = resolve));
    begin(3);
    await until(() => loaded !== undefined);
    const down = shutDown();
    loaded({ failingSince: null, refuse: () => null, send });
    await down;
    expect([released.length, recorded]).toEqual([3, []]);
  });

  it('frees its slots when it cannot load a destination or record an outcome', async () => {
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

  it('releases unsent deliveries when a failure opens the circuit', async () => {
    queue.failures = CIRCUIT_OPEN_AFTER - 1;
    send = () => Promise.resolve(REFUSED);
    begin(DESTINATION_CONCURRENCY + 4);
    await until(() => recorded.length + released.length === DESTINATION_CONCURRENCY + 4);
    expect([recorded.length, released.length]).toEqual([DESTINATION_CONCURRENCY, 4]);
  });

  it('reports that the destination had failed before a success', async () => {
    begin(1);
    await until(() => recorded.length === 1);
    expect(recorded[0]).toMatchObject({ wasFailing: true, decision: { status: 'delivered' } });
    expect(leaseMs).toBeGreaterThan(3 * TIMEOUT_MS);
  });

  it.each([
    { held: MIN_CLAIMED / 2 - 1, isLeftOut: false },
    { held: MIN_CLAIMED / 2, isLeftOut: true },
  ])('excludes a destination with $held held deliveries: $isLeftOut', async ({ held, isLeftOut }) => {
    send = unanswered;
    begin(held);
    await until(() => attempts === held);
    const claims = leftOut.length;
    wake();
    await until(() => leftOut.length > claims);
    expect(leftOut.at(-1)).toEqual(isLeftOut ? [queue.id] : []);
  });

  /** Claims `count` deliveries for each of several other destinations of the workspace, none of which is answered. */
  async function occupy(destinations: number, count: number, failures: number): Promise<void> {
    send = unanswered;
    const sent = Math.min(count, failures >= CIRCUIT_OPEN_AFTER ? 1 : DESTINATION_CONCURRENCY);
    for (let made = 0; made < destinations; made += 1) {
      const before = attempts;
      queue = { ...queue, id: newId(), failures };
      begin(count);
      await until(() => attempts === before + sent);
    }
  }
  async function nextFilter(): Promise<typeof excluded> {
    const claims = leftOut.length;
    wake();
    await until(() => leftOut.length > claims);
    return excluded;
  }

  it('excludes a workspace that has fewer than 16 slots left', async () => {
    const { workspaceId } = queue;
    await occupy(47, MIN_CLAIMED, 0);
    expect(await nextFilter()).toEqual({ exceptWorkspaces: [], exceptProbesOf: [] });
    await occupy(1, MIN_CLAIMED - 8, 0);
    expect(await nextFilter()).toEqual({ exceptWorkspaces: [workspaceId], exceptProbesOf: [] });
    await occupy(1, 6, 0);
    queue = { ...queue, id: newId() };
    begin(1);
    await nextFilter();
    // The destinations for which no slot is left are not claimed.
    expect(allotted).not.toContain(0);
  });

  it('excludes the open circuits of a workspace that has no probes left', async () => {
    const { workspaceId } = queue;
    await occupy(191, 1, CIRCUIT_OPEN_AFTER);
    expect((await nextFilter()).exceptProbesOf).toEqual([]);
    await occupy(1, 1, CIRCUIT_OPEN_AFTER);
    expect((await nextFilter()).exceptProbesOf).toEqual([workspaceId]);
  });

  it('releases what it has not sent of a workspace that is suspended', async () => {
    send = unanswered;
    begin(DESTINATION_CONCURRENCY + 4);
    await until(() => attempts === DESTINATION_CONCURRENCY);
    suspended = [queue.workspaceId];
    expect((await nextFilter()).exceptWorkspaces).toEqual(suspended);
    expect(released).toHaveLength(4);
  });

  it('releases deliveries that could not be sent before their lease ends', async () => {
    const answers: (() => void)[] = [];
    send = () => new Promise((resolve) => answers.push(() => resolve(DELIVERED)));
    begin(DESTINATION_CONCURRENCY + 4);
    await until(() => answers.length === DESTINATION_CONCURRENCY);
    const now = performance.now() + leaseMs - TIMEOUT_MS + 1;
    jest.spyOn(performance, 'now').mockReturnValue(now);
    answers[0]!();
    await until(() => recorded.length === 1);
    expect([answers.length, released.length]).toEqual([DESTINATION_CONCURRENCY, 4]);
    for (const answer of answers) answer();
  });

  it('sends nothing of a claim whose leases end before its commit', async () => {
    const late = performance.now();
    commits = () => {
      jest.spyOn(performance, 'now').mockReturnValue(late + leaseMs);
      commits = () => undefined;
    };
    begin(2, 1);
    await until(() => recorded.length > 0 && due.length === 0);
    await new Promise((resolve) => setImmediate(resolve));
    expect([recorded.length, released]).toEqual([1, []]);
  });

  it('records a success even when a shutdown has aborted the request', async () => {
    send = (_delivery, signal) => {
      attempts += 1;
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(DELIVERED)));
    };
    begin(1);
    await until(() => attempts === 1);
    await shutDown();
    expect([recorded.map(({ decision }) => decision.status), released]).toEqual([['delivered'], []]);
  });

  it('reads the stored failures of a destination again once it holds none', async () => {
    queue.failures = CIRCUIT_OPEN_AFTER - 1;
    send = () => Promise.resolve(REFUSED);
    begin(1);
    await until(() => recorded.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    queue = { ...queue, failures: 0 };
    send = unanswered;
    begin(2);
    await until(() => attempts === 2);
    expect(released).toEqual([]);
  });

  it('uses a single timer to claim for a backlog, however often it is woken', async () => {
    isTruncated = true;
    send = unanswered;
    begin(1);
    await until(() => attempts === 1);
    const timersAfterWaking = async (): Promise<number> => {
      const claims = leftOut.length;
      wake();
      await until(() => leftOut.length > claims);
      await new Promise((resolve) => setImmediate(resolve));
      return jest.getTimerCount();
    };
    expect([await timersAfterWaking(), await timersAfterWaking()]).toEqual([2, 2]);
  });

  it.each([
    { schedule: [10, 60_000], expected: 10 },
    { schedule: [60_000], expected: 5_000 },
    { schedule: [], expected: 5_000 },
  ])(
    'pauses between probes for the first delay of $schedule, at most 5 s',
    async ({ schedule, expected }) => {
      queue.failures = CIRCUIT_OPEN_AFTER;
      sender = newSender(schedule);
      begin(1);
      await until(() => recorded.length === 1);
      expect(pauseMs).toBe(expected);
    },
  );
});
