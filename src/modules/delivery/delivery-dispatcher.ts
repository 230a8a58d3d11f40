import { setMaxListeners } from 'node:events';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import {
  type ClaimedDelivery,
  DeliveryClaimsRepository,
  type LaneClaim,
} from './delivery-claims.repository.js';
import { destinationKey, type DueLane } from './destination.js';
import { Destinations } from './destinations.js';
import { type HeldDelivery, Lane } from './lane.js';
import { isSuspect, MAX_HELD, MAX_PROBES, shareRoom, SUSPECT_AFTER } from './lane-limits.js';
import { OutcomeRecorder } from './outcome-recorder.js';
import { rule, type Ruling, unsent } from './verdict.js';

const POLL_MS = 500;
/** Destinations looked at in one claim. */
const MAX_LANES = 128;
/** Longest pause between two probes of a suspect destination. */
const MAX_PROBE_PAUSE_MS = 5_000;
/** What a lease has beyond the time that sending may take. */
const LEASE_MARGIN_MS = 2_000;
/** Time for whoever has a destination's lane locked, when a claim comes back empty that should not. */
const LOCKED_PAUSE_MS = 5;
/** How long a stop waits for what is under way. */
const STOP_GRACE_MS = 5_000;

/**
 * Sends due deliveries. Each destination has its own lane with its own concurrency, so that a slow or dead one delays
 * no other; what a killed process held is due again when its lease ends.
 */
@Injectable()
export class DeliveryDispatcher implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryDispatcher.name);
  private readonly owner = newId();
  private readonly lanes = new Map<string, Lane>();
  private readonly aborter = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private isStopping = false;
  private pause: NodeJS.Timeout | undefined;
  private readonly schedule: readonly number[];
  private readonly timeoutMs: number;
  /** Time for three in a row: what waits longer than two is given back unsent. */
  private readonly leaseMs: number;
  private readonly loop = new PollingLoop(
    () => this.claim(),
    POLL_MS,
    (error) => this.logger.error({ err: error }, 'deliveries could not be claimed'),
  );

  constructor(
    private readonly claims: DeliveryClaimsRepository,
    private readonly destinations: Destinations,
    private readonly recorder: OutcomeRecorder,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.schedule = environment.WEBHOOK_RETRY_SCHEDULE;
    this.timeoutMs = environment.WEBHOOK_TIMEOUT_MS;
    this.leaseMs = 3 * this.timeoutMs + LEASE_MARGIN_MS;
    setMaxListeners(MAX_HELD, this.aborter.signal);
  }

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  /** Looks for due deliveries now. */
  wake(): void {
    this.loop.wake();
  }

  /** Ends in bounded time: what does not finish is called off and given back. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.pause);
    await this.loop.stop();
    await this.giveBack([...this.lanes.values()].flatMap((lane) => lane.empty()));
    const grace = setTimeout(() => this.aborter.abort(), STOP_GRACE_MS);
    await Promise.allSettled(this.underWay);
    clearTimeout(grace);
  }

  /** Whether there may be more to claim. */
  private async claim(): Promise<boolean> {
    const lanes = [...this.lanes.values()];
    const held = lanes.reduce((sum, lane) => sum + lane.held, 0);
    const probes = lanes.filter(({ failures }) => isSuspect(failures)).length;
    if (held >= MAX_HELD) return false;
    const claims = await this.claims.claim(
      this.owner,
      this.leaseMs,
      {
        limit: MAX_LANES,
        except: lanes.filter(({ isFull }) => isFull).map(({ destination }) => destination.id),
        failuresBelow: probes < MAX_PROBES ? null : SUSPECT_AFTER,
      },
      (due) =>
        shareRoom(
          due,
          {
            total: held,
            probes,
            ofLane: (lane) => this.lanes.get(destinationKey(lane)) ?? { held: 0, answerMs: null },
          },
          Math.min(this.schedule[0] ?? MAX_PROBE_PAUSE_MS, MAX_PROBE_PAUSE_MS),
        ),
    );
    const leasedUntil = performance.now() + this.leaseMs;
    const taken = claims.filter(({ deliveries }) => deliveries.length > 0);
    for (const claim of taken) this.track(this.take(claim, leasedUntil));
    clearTimeout(this.pause);
    this.pause =
      taken.length === 0 && lanes.some(({ isHungry }) => isHungry)
        ? setTimeout(() => this.resume(), LOCKED_PAUSE_MS)
        : undefined;
    return taken.length > 0;
  }

  private async take({ lane: due, deliveries, isCut }: LaneClaim, leasedUntil: number): Promise<void> {
    const lane = this.laneOf(due);
    lane.reserve(deliveries.length, isCut);
    const taken: HeldDelivery[] = [];
    try {
      const destination = await this.destinations.load(due);
      if (this.isStopping) await this.claims.release(this.owner, deliveries);
      else taken.push(...deliveries.map((delivery) => ({ delivery, destination, leasedUntil })));
    } catch (error) {
      // Their lease ends by itself.
      this.logger.error({ err: error, ...due }, 'destination could not be loaded');
    }
    lane.accept(deliveries.length, taken);
    this.pump(lane);
  }

  /** Sends as much at once as the lane may; forgets a lane that holds nothing. */
  private pump(lane: Lane): void {
    // Another process may take what could not be done before its lease ends.
    const surplus = lane.takeSurplus(performance.now() + this.timeoutMs);
    if (surplus.length > 0) this.track(this.giveBack(surplus));
    for (let held = lane.start(); held !== undefined; held = lane.start())
      this.track(this.deliver(lane, held));
    if (lane.held === 0) this.lanes.delete(destinationKey(lane.destination));
    if (lane.isHungry && this.pause === undefined) this.loop.wake();
  }

  private async deliver(lane: Lane, { delivery, destination }: HeldDelivery): Promise<void> {
    const refusal = destination.refuse(delivery);
    const ruling = refusal === null ? await this.attempt(destination, delivery) : unsent(delivery, refusal);
    const wasFailing = lane.failures > 0;
    lane.answered(ruling?.recorded.attempt ?? null);
    // The next one goes out while this one is written.
    this.pump(lane);
    try {
      if (ruling === null) await this.claims.release(this.owner, [delivery]);
      else await this.recorder.record(this.owner, ruling, wasFailing);
    } catch (error) {
      this.logger.error({ err: error, deliveryId: delivery.deliveryId }, 'outcome not recorded; sent again');
    }
    lane.settled();
    this.pump(lane);
  }

  private async giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await this.claims.release(this.owner, deliveries);
    } catch (error) {
      this.logger.error({ err: error }, 'deliveries not given back; their leases end by themselves');
    }
  }

  /** Null when the attempt was called off by a stop, which says nothing about the destination. */
  private async attempt(
    destination: HeldDelivery['destination'],
    delivery: ClaimedDelivery,
  ): Promise<Ruling | null> {
    const at = this.clock.now();
    const outcome = await destination.send(delivery, this.aborter.signal);
    if (!outcome.ok && this.aborter.signal.aborted) return null;
    const ruling = rule(delivery, outcome, {
      at,
      now: this.clock.now(),
      schedule: this.schedule,
      failingSince: destination.failingSince,
      random: Math.random,
    });
    this.logger.debug({
      msg: 'delivery attempted',
      workspaceId: delivery.destination.workspaceId,
      deliveryId: delivery.deliveryId,
      destinationKind: delivery.destination.kind,
      destinationId: delivery.destination.id,
      eventType: delivery.event.type,
      attempt: delivery.schedulePosition + 1,
      outcome: ruling.recorded.status,
      responseCode: outcome.responseCode,
      durationMs: outcome.durationMs,
      ...(outcome.error !== undefined && { error: outcome.error }),
    });
    return ruling;
  }

  private resume(): void {
    this.pause = undefined;
    this.loop.wake();
  }

  private laneOf(due: DueLane): Lane {
    const key = destinationKey(due);
    const lane = this.lanes.get(key) ?? new Lane(due);
    this.lanes.set(key, lane);
    return lane;
  }

  private track(work: Promise<void>): void {
    this.underWay.add(work);
    void work.finally(() => this.underWay.delete(work));
  }
}
