import { setMaxListeners } from 'node:events';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { FairShare } from '../../common/fair-share.js';
import { newId } from '../../common/ids.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { destinationKey } from '../queue/destination.js';
import { SenderWakeUp } from '../queue/sender-wake-up.js';
import { DeliveryClaimsRepository, type QueueClaim } from '../queue/delivery-claims.repository.js';
import { decide, type DeliveryDecision, undeliverable } from '../queue/delivery-decision.js';
import { type ClaimedDelivery, DestinationLoader } from './destination-loader.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import {
  allot,
  type DueQueue,
  isCircuitOpen,
  MAX_HELD,
  MAX_PROBES,
  type SendCapacity,
} from '../queue/send-limits.js';
import { type ReadyDelivery, SendQueue } from './send-queue.js';

const POLL_MS = 500;
/** Number of destination queues in one claim. */
const MAX_QUEUES = 128;
/** Longest pause between two probes of an open circuit, in milliseconds. */
const MAX_PROBE_PAUSE_MS = 5_000;
/** Lease duration beyond the longest time that sending may take, in milliseconds. */
const LEASE_MARGIN_MS = 2_000;
/** Retry delay in milliseconds when all due queues were locked by another process. */
const LOCKED_RETRY_MS = 5;
/** Retry delay in milliseconds while workspaces with a backlog use their full share of slots. */
const FULL_RETRY_MS = 50;
/** A workspace that uses slots is excluded from claims while fewer than this many more are available to it. */
const MIN_CLAIM = 16;
const NOTHING_HELD = { held: 0, answerMs: null };
/** How long a shutdown waits for requests before aborting them, in milliseconds. */
const SHUTDOWN_GRACE_MS = 5_000;

/**
 * Sends due deliveries. Each destination has its own queue and concurrency limit, and each workspace a share of the slots,
 * so that none delays another. Deliveries of a killed process are due again when their leases expire.
 */
@Injectable()
export class DeliverySender extends RepeatedWork {
  private readonly owner = newId();
  private readonly queues = new Map<string, SendQueue>();
  private readonly aborter = new AbortController();
  private readonly tasks = new Set<Promise<void>>();
  private retry: NodeJS.Timeout | undefined;
  /** Workspaces that used their full share of slots at the last claim. */
  private excludedWorkspaces: ReadonlySet<string> = new Set();
  private readonly schedule: readonly number[];
  private readonly timeoutMs: number;
  /** Lease duration: three request timeouts plus a margin. Deliveries that wait for more than two are released. */
  private readonly leaseMs: number;

  constructor(
    private readonly claims: DeliveryClaimsRepository,
    private readonly outbox: OutboxRepository,
    private readonly destinations: DestinationLoader,
    private readonly recorder: OutcomeRecorder,
    private readonly wakeUp: SenderWakeUp,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
    private readonly inactive: InactiveWorkspaces,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    super(POLL_MS, 'claiming deliveries failed', 'error');
    this.schedule = environment.WEBHOOK_RETRY_SCHEDULE;
    this.timeoutMs = environment.WEBHOOK_TIMEOUT_MS;
    this.leaseMs = 3 * this.timeoutMs + LEASE_MARGIN_MS;
    setMaxListeners(MAX_HELD, this.aborter.signal);
  }

  override onApplicationBootstrap(): void {
    this.wakeUp.listen(() => this.loop.wake());
    super.onApplicationBootstrap();
  }

  /** Ends within the grace period: requests still running then are aborted and their deliveries released. */
  override async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.retry);
    await super.beforeApplicationShutdown();
    await this.release([...this.queues.values()].flatMap((queue) => queue.takeAll()));
    const grace = setTimeout(() => this.aborter.abort(), SHUTDOWN_GRACE_MS);
    await Promise.allSettled(this.tasks);
    clearTimeout(grace);
  }

  /** Claims due deliveries and starts sending them; returns whether more may be due. */
  override async work(): Promise<boolean> {
    const queues = [...this.queues.values()];
    const capacity = this.capacityOf(queues);
    const holders = [...capacity.deliveries.holders.keys()];
    this.excludedWorkspaces = new Set([
      ...holders.filter((id) => capacity.deliveries.available(id) < MIN_CLAIM),
      ...this.inactive.ids,
    ]);
    for (const queue of queues)
      if (this.inactive.has(queue.destination.workspaceId)) this.startSending(queue);
    // Leases begin with the transaction, whose commit may be late.
    const leasedUntil = performance.now() + this.leaseMs;
    const { claims, events } = await this.transactions.run(async (tx) => {
      const due = await this.claims.lockDueQueues(
        {
          limit: MAX_QUEUES,
          exceptDestinations: queues.filter(({ isFull }) => isFull).map(({ destination }) => destination.id),
          exceptWorkspaces: [...this.excludedWorkspaces],
          exceptProbesOf: [...capacity.probes.holders.keys()].filter(
            (id) => capacity.probes.available(id) === 0,
          ),
        },
        tx,
      );
      const allotments = allot(
        due,
        capacity,
        Math.min(this.schedule[0] ?? MAX_PROBE_PAUSE_MS, MAX_PROBE_PAUSE_MS),
      );
      const leased = await this.claims.lease(
        this.owner,
        this.leaseMs,
        allotments.filter(({ count }) => count > 0),
        tx,
      );
      const nonEmpty = leased.filter(({ deliveries }) => deliveries.length > 0);
      const references = nonEmpty.flatMap(({ queue, deliveries }) =>
        deliveries.map(({ eventId }) => ({ workspaceId: queue.workspaceId, id: eventId })),
      );
      return { claims: nonEmpty, events: await this.outbox.findPayloads(references, tx) };
    });
    // Leases that are nearly over end by themselves: another claim may have these deliveries already.
    if (performance.now() + this.timeoutMs > leasedUntil) return claims.length > 0;
    for (const claim of claims) {
      const deliveries = claim.deliveries.map((delivery) => ({
        ...delivery,
        event: events.get(delivery.eventId)!,
      }));
      this.track(this.enqueue(claim, deliveries, leasedUntil));
    }
    this.scheduleRetry(claims.length === 0 ? queues.filter(({ hasBacklog }) => hasBacklog) : []);
    return claims.length > 0;
  }

  /** The slots of this process and those that its queues use. */
  private capacityOf(queues: readonly SendQueue[]): SendCapacity {
    const deliveries = new FairShare(MAX_HELD);
    const probes = new FairShare(MAX_PROBES);
    for (const { destination, held, failures } of queues) {
      deliveries.take(destination.workspaceId, held);
      if (isCircuitOpen(failures)) probes.take(destination.workspaceId, 1);
    }
    return { deliveries, probes, heldFor: (queue) => this.queues.get(destinationKey(queue)) ?? NOTHING_HELD };
  }

  /** Schedules another claim soon for queues with a backlog whose last claim found nothing. */
  private scheduleRetry(backlogged: readonly SendQueue[]): void {
    clearTimeout(this.retry);
    this.retry = undefined;
    if (backlogged.length === 0) return;
    const isLocked = backlogged.some((queue) => !this.excludedWorkspaces.has(queue.destination.workspaceId));
    this.retry = setTimeout(
      () => {
        this.retry = undefined;
        this.loop.wake();
      },
      isLocked ? LOCKED_RETRY_MS : FULL_RETRY_MS,
    );
  }

  private async enqueue(
    { queue: due, isTruncated }: QueueClaim,
    deliveries: readonly ClaimedDelivery[],
    leasedUntil: number,
  ): Promise<void> {
    const queue = this.queueOf(due);
    queue.reserve(deliveries.length, isTruncated);
    const ready: ReadyDelivery[] = [];
    try {
      const destination = await this.destinations.load(due);
      if (this.stopping.signal.aborted) await this.claims.release(this.owner, deliveries);
      else ready.push(...deliveries.map((delivery) => ({ delivery, destination, leasedUntil })));
    } catch (error) {
      // The leases expire by themselves.
      this.logger.error({ err: error, ...due }, 'loading a destination failed');
    }
    queue.accept(deliveries.length, ready);
    this.startSending(queue);
  }

  /** Starts as many deliveries of a destination as its limits allow, and drops its queue when it is empty. */
  private startSending(queue: SendQueue): void {
    // Release unsent deliveries before their lease expires, and all of a suspended workspace.
    const releasable = this.inactive.has(queue.destination.workspaceId)
      ? queue.takeAll()
      : queue.takeReleasable(performance.now() + this.timeoutMs);
    if (releasable.length > 0) this.track(this.release(releasable));
    for (let next = queue.start(); next !== undefined; next = queue.start())
      this.track(this.deliver(queue, next));
    if (queue.held === 0) this.queues.delete(destinationKey(queue.destination));
    if (
      queue.hasBacklog &&
      this.retry === undefined &&
      !this.excludedWorkspaces.has(queue.destination.workspaceId)
    )
      this.loop.wake();
  }

  private async deliver(queue: SendQueue, { delivery, destination }: ReadyDelivery): Promise<void> {
    const refusal = destination.refuse(delivery);
    const decision =
      refusal === null ? await this.attempt(destination, delivery) : undeliverable(delivery, refusal);
    if (decision !== null) this.log(delivery, decision);
    const wasFailing = queue.failures > 0;
    queue.attempted(decision?.attempt ?? null);
    // The next delivery is sent while this one is being recorded.
    this.startSending(queue);
    try {
      if (decision === null) await this.claims.release(this.owner, [delivery]);
      else await this.recorder.record(this.owner, decision, wasFailing);
    } catch (error) {
      this.logger.error(
        { err: error, deliveryId: delivery.deliveryId },
        'recording a delivery failed; it is sent again',
      );
    }
    queue.recorded();
    this.startSending(queue);
  }

  /** Null when a shutdown aborted the attempt, which says nothing about the destination. */
  private async attempt(
    destination: ReadyDelivery['destination'],
    delivery: ClaimedDelivery,
  ): Promise<DeliveryDecision | null> {
    const at = this.clock.now();
    const outcome = await destination.send(delivery, this.aborter.signal);
    if (!outcome.ok && this.aborter.signal.aborted) return null;
    return decide(delivery, outcome, at, {
      now: this.clock.now(),
      schedule: this.schedule,
      failingSince: destination.failingSince,
      random: Math.random,
    });
  }

  private log(
    { destination, deliveryId, event, attempts }: ClaimedDelivery,
    { status, attempt, error }: DeliveryDecision,
  ): void {
    this.logger.log({
      msg: status === 'delivered' ? 'delivery succeeded' : 'delivery failed',
      workspaceId: destination.workspaceId,
      deliveryId,
      destinationKind: destination.kind,
      destinationId: destination.id,
      eventType: event.type,
      status,
      attempt: attempt === null ? null : attempts + 1,
      responseCode: attempt?.responseCode ?? null,
      durationMs: attempt?.durationMs ?? null,
      ...(error !== null && { error }),
    });
  }

  private async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await this.claims.release(this.owner, deliveries);
    } catch (error) {
      this.logger.error({ err: error }, 'releasing deliveries failed; their leases end by themselves');
    }
  }

  private queueOf(due: DueQueue): SendQueue {
    const key = destinationKey(due);
    const queue = this.queues.get(key) ?? new SendQueue(due);
    this.queues.set(key, queue);
    return queue;
  }

  private track(task: Promise<void>): void {
    this.tasks.add(task);
    void task.finally(() => this.tasks.delete(task));
  }
}
