import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupBy } from '../../common/collections.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import type { ChannelRows } from '../../alerts/alert/channel-rows.js';
import { ReportsRepository } from '../../alerts/reports/reports.repository.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { DeliveryMetrics } from './delivery-metrics.js';
import { destinationKey } from '../queue/destination.js';
import { type DestinationSummary, summarizeAttempts } from '../queue/attempt-summary.js';
import { DeliveryClaimsRepository } from '../queue/delivery-claims.repository.js';
import type { DeliveryDecision } from '../queue/delivery-decision.js';

/** Maximum number of decisions in one transaction. */
const MAX_BATCH = 200;
/** How long decisions are collected, in milliseconds, unless `FULL_BATCH` of them arrive earlier. */
const COLLECT_MS = 10;
const FULL_BATCH = 100;

interface PendingRecord {
  decision: DeliveryDecision;
  /** The destination had failed before, so a success must reset its failure count. */
  wasFailing: boolean;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Records decisions in batches, because one transaction costs five round trips. Batches are written sequentially, so
 * that a failure is not counted after the success that followed it. No library here batches by time and size and keeps
 * the batches in order.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private readonly pending: PendingRecord[] = [];
  private isWriting = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly channels: Readonly<Record<'alert' | 'report', ChannelRows>>;

  constructor(
    private readonly claims: DeliveryClaimsRepository,
    private readonly webhooks: WebhooksRepository,
    alerts: AlertsRepository,
    reports: ReportsRepository,
    private readonly transactions: TransactionRunner,
    private readonly metrics: DeliveryMetrics,
  ) {
    this.channels = { alert: alerts, report: reports };
  }

  /** Records a decision of the lease owner. Resolves once it is committed; rejects when its batch failed. */
  record(owner: string, decision: DeliveryDecision, wasFailing: boolean): Promise<void> {
    const recorded = new Promise<void>((resolve, reject) =>
      this.pending.push({ decision, wasFailing, resolve, reject }),
    );
    if (this.pending.length >= FULL_BATCH) this.write(owner);
    else this.timer ??= setTimeout(() => this.write(owner), COLLECT_MS);
    return recorded;
  }

  private write(owner: string): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isWriting) void this.writeAll(owner);
  }

  private async writeAll(owner: string): Promise<void> {
    this.isWriting = true;
    while (this.pending.length > 0) {
      const batch = this.pending.splice(0, MAX_BATCH);
      try {
        await this.writeBatch(owner, batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isWriting = false;
  }

  private async writeBatch(owner: string, batch: readonly PendingRecord[]): Promise<void> {
    const decisions = batch.map(({ decision }) => decision);
    const wasFailing = new Set(
      batch.filter((record) => record.wasFailing).map(({ decision }) => destinationKey(decision.destination)),
    );
    const summaries = summarizeAttempts(decisions);
    const disabled = await this.transactions.run(async (tx) => {
      await this.claims.record(owner, decisions, tx);
      await this.updateWebhooks(summaries, tx);
      await this.updateChannels(summaries, tx);
      const changed = await this.disableDestinations(decisions, tx);
      // Skip queues without failures: claims skip locked rows, so frequent writes would hide those queues.
      await this.claims.updateQueues(
        summaries.filter(
          ({ destination, failures, retryInMs }) =>
            failures > 0 || retryInMs !== null || wasFailing.has(destinationKey(destination)),
        ),
        tx,
      );
      return changed;
    });
    for (const decision of decisions) this.metrics.record(decision);
    for (const { destination, disableReason: reason } of disabled)
      this.logger.warn({ msg: 'destination disabled', ...destination, reason });
  }

  private async updateWebhooks(summaries: readonly DestinationSummary[], tx: EntityManager): Promise<void> {
    const webhooks = summaries.filter(({ destination }) => destination.kind === 'webhook');
    for (const [workspaceId, own] of groupBy(webhooks, ({ destination }) => destination.workspaceId))
      await this.webhooks.recordAttempts(
        workspaceId,
        own.map(({ destination, anySuccess, failures, failingSince, lastAt }) => ({
          id: destination.id,
          anySuccess,
          failures,
          failingSince,
          lastAt,
        })),
        tx,
      );
  }

  private async updateChannels(summaries: readonly DestinationSummary[], tx: EntityManager): Promise<void> {
    for (const { destination, ...summary } of summaries)
      if (destination.kind === 'alert' || destination.kind === 'report')
        await this.channels[destination.kind].recordChannelFailures(
          destination.workspaceId,
          destination.id,
          summary,
          tx,
        );
  }

  /** Disables destinations as the decisions require; returns the decisions that changed a destination. */
  private async disableDestinations(
    decisions: readonly DeliveryDecision[],
    tx: EntityManager,
  ): Promise<DeliveryDecision[]> {
    const changed: DeliveryDecision[] = [];
    for (const decision of decisions) {
      const { workspaceId, kind, id } = decision.destination;
      // A member ends subscriptions, not the mail server.
      if (decision.disableReason === null || kind === 'member') continue;
      const isChanged =
        kind === 'webhook'
          ? await this.webhooks.disable(workspaceId, id, decision.disableReason, tx)
          : await this.channels[kind].disableChannel(workspaceId, id, decision.disableReason, tx);
      if (isChanged) changed.push(decision);
    }
    return changed;
  }
}
