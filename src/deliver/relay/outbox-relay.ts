import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { RepeatedWork } from '../../common/repeated-work.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository, type WaitingEvent } from '../../messages/outbox/outbox.repository.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { DeliveriesRepository } from '../queue/deliveries.repository.js';
import { SenderWakeUp } from '../queue/sender-wake-up.js';
import { beginsWithChannel, fanOut } from './fan-out.js';
import { isServerUnavailable } from '../../common/dependency-unavailable.js';
import { LAST_SHRINK_LEVEL, relayLimits } from './relay-limits.js';

const POLL_MS = 500;
/** Number of workspaces in one round, and how many of them are relayed concurrently. */
const WORKSPACES_PER_ROUND = 64;
const CONCURRENCY = 3;
/** Timeout of one statement in milliseconds; bounds how long a blocked workspace can delay others. */
const STATEMENT_TIMEOUT_MS = 5_000;
/**
 * Number of failures of a single event after which it is set aside; the waits in between grow from one second to one
 * minute.
 */
const MAX_FAILURES = 8;
/** Number of workspaces whose shrink level is remembered. */
const MAX_SHRUNK = 1_000;

/**
 * Turns events into deliveries, one workspace after another, in transactions with a bounded number of events and
 * deliveries. Several processes may run it concurrently: an event gets exactly one delivery for each destination.
 */
@Injectable()
export class OutboxRelay extends RepeatedWork {
  private readonly limit = pLimit(CONCURRENCY);
  private readonly shrinkLevels = new LRUCache<string, number>({ max: MAX_SHRUNK });
  private readonly setAside: Counter;
  /** Last workspace of the previous round; null to start from the first workspace. */
  private lastWorkspaceId: string | null = null;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly people: SubscriptionsRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly wakeUp: SenderWakeUp,
    private readonly transactions: TransactionRunner,
    metrics: MetricsRegistry,
  ) {
    super(POLL_MS, 'relaying events failed', 'error');
    this.setAside = new Counter({
      name: 'wss_outbox_events_set_aside_total',
      help: 'Events set aside because relaying them failed repeatedly',
      registers: [metrics.registry],
    });
  }

  /** Relays one transaction of events for each workspace in the round; returns whether more may be waiting. */
  override async work(): Promise<boolean> {
    const workspaces = await this.outbox.findWaitingWorkspaces(this.lastWorkspaceId, WORKSPACES_PER_ROUND);
    const isLastRound = workspaces.length < WORKSPACES_PER_ROUND;
    this.lastWorkspaceId = isLastRound ? null : workspaces.at(-1)!;
    const results = await Promise.allSettled(
      workspaces.map((workspaceId) => this.limit(() => this.relayWorkspace(workspaceId))),
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return !isLastRound || results.some((result) => result.status === 'fulfilled' && result.value);
  }

  /** Relays one transaction of events; returns whether there were any. */
  private async relayWorkspace(workspaceId: string): Promise<boolean> {
    const level = this.shrinkLevels.get(workspaceId) ?? 0;
    let events: WaitingEvent[] = [];
    try {
      const added = await this.transactions.run(async (tx) => {
        await tx.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
        events = await this.outbox.lockWaiting(workspaceId, relayLimits(level).events, tx);
        return events.length === 0 ? 0 : this.relay(workspaceId, events, level, tx);
      });
      if (added > 0) this.wakeUp.send();
      if (level > 0) this.shrinkLevels.set(workspaceId, level - 1);
      return events.length > 0;
    } catch (error) {
      if (events.length === 0 || isServerUnavailable(error)) throw error;
      if (level < LAST_SHRINK_LEVEL) {
        this.shrinkLevels.set(workspaceId, level + 1);
        this.logger.warn({ err: error, workspaceId, events: events.length }, 'relay transaction shrunk');
      } else await this.recordFailure(events[0]!, error);
      return true;
    }
  }

  private async relay(
    workspaceId: string,
    events: readonly WaitingEvent[],
    level: number,
    tx: EntityManager,
  ): Promise<number> {
    const subscriptions = await this.webhooks.subscriptions(workspaceId, tx);
    const alertIds = events.filter(beginsWithChannel).map(({ subjectId }) => subjectId);
    const membersOf = await this.people.membersOf(workspaceId, alertIds, tx);
    const limit = relayLimits(level).deliveries;
    const { deliveries, complete, partial } = fanOut(events, subscriptions, limit, membersOf);
    const added = await this.deliveries.insert(workspaceId, deliveries, tx);
    await this.outbox.markRelayed(workspaceId, complete, tx);
    if (partial !== null)
      await this.outbox.markPartlyRelayed(workspaceId, partial.eventId, partial.afterWebhookId, tx);
    await this.deliveries.makeDue(workspaceId, added, tx);
    return added.length;
  }

  /** Delays an event that failed on its own, or sets it aside after its last failure. */
  private async recordFailure(event: WaitingEvent, error: unknown): Promise<void> {
    const { workspaceId, id: eventId, type: eventType } = event;
    const isSetAside = await this.outbox.recordRelayFailure(workspaceId, eventId, MAX_FAILURES);
    if (!isSetAside) {
      this.logger.warn({ err: error, workspaceId, eventId, eventType }, 'relaying an event failed');
      return;
    }
    this.setAside.inc();
    this.logger.error({ err: error, workspaceId, eventId, eventType }, 'event set aside');
  }
}
