import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { groupBy } from '../../common/group-by.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { AlertsRepository } from '../alerts/alerts.repository.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { DeliveryClaimsRepository } from './delivery-claims.repository.js';
import { destinationKey } from './destination.js';
import { type DestinationTally, tallyOutcomes } from './tally.js';
import type { Ruling } from './verdict.js';

/** Outcomes of one transaction. */
const MAX_BATCH = 200;
/** How long outcomes are gathered, unless this many come sooner: each transaction costs five turns with Postgres. */
const GATHER_MS = 10;
const ENOUGH = 100;

interface Waiting {
  ruling: Ruling;
  /** The destination had failed before, so that its lane must learn of a success. */
  wasFailing: boolean;
  settled: { resolve: () => void; reject: (error: unknown) => void };
}

/**
 * Writes what became of attempts. Outcomes that arrive within a moment, or while a transaction is under way, share the
 * next one, so that the cost of a commit is divided by what the receivers can take. One at a time: a failure must not
 * be counted after the success that followed it.
 */
@Injectable()
export class OutcomeRecorder {
  private readonly logger = new Logger(OutcomeRecorder.name);
  private readonly waiting: Waiting[] = [];
  private isWriting = false;
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly claims: DeliveryClaimsRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly alerts: AlertsRepository,
    private readonly transactions: TransactionRunner,
  ) {}

  /** Resolves once it is written. */
  record(owner: string, ruling: Ruling, wasFailing: boolean): Promise<void> {
    const written = new Promise<void>((resolve, reject) =>
      this.waiting.push({ ruling, wasFailing, settled: { resolve, reject } }),
    );
    if (this.waiting.length >= ENOUGH) this.write(owner);
    else this.gathering ??= setTimeout(() => this.write(owner), GATHER_MS);
    return written;
  }

  private write(owner: string): void {
    clearTimeout(this.gathering);
    this.gathering = undefined;
    if (!this.isWriting) void this.writeAll(owner);
  }

  private async writeAll(owner: string): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_BATCH);
      try {
        await this.writeBatch(owner, batch);
        for (const { settled } of batch) settled.resolve();
      } catch (error) {
        for (const { settled } of batch) settled.reject(error);
      }
    }
    this.isWriting = false;
  }

  private async writeBatch(owner: string, batch: readonly Waiting[]): Promise<void> {
    const rulings = batch.map(({ ruling }) => ruling);
    const failing = new Set(
      batch
        .filter(({ wasFailing }) => wasFailing)
        .map(({ ruling }) => destinationKey(ruling.recorded.destination)),
    );
    const outcomes = rulings.map(({ recorded }) => recorded);
    const tallies = tallyOutcomes(outcomes);
    const disabled = await this.transactions.run(async (tx) => {
      await this.claims.record(owner, outcomes, tx);
      await this.noteWebhooks(tallies, tx);
      await this.noteAlerts(tallies, tx);
      const off = await this.disable(rulings, tx);
      // A lane that only succeeds is left alone: a row that many write is one that claims pass by.
      await this.claims.moveLanes(
        tallies.filter(
          ({ destination, failures }) => failures > 0 || failing.has(destinationKey(destination)),
        ),
        tx,
      );
      return off;
    });
    for (const { recorded, disable: reason } of disabled)
      this.logger.warn({ msg: 'destination switched off', ...recorded.destination, reason });
  }

  private async noteWebhooks(tallies: readonly DestinationTally[], tx: EntityManager): Promise<void> {
    const webhooks = tallies.filter(({ destination }) => destination.kind === 'webhook');
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

  private async noteAlerts(tallies: readonly DestinationTally[], tx: EntityManager): Promise<void> {
    for (const { destination, ...tally } of tallies)
      if (destination.kind === 'alert')
        await this.alerts.noteChannel(destination.workspaceId, destination.id, tally, tx);
  }

  /** Those whose destination went off by it. */
  private async disable(rulings: readonly Ruling[], tx: EntityManager): Promise<Ruling[]> {
    const off: Ruling[] = [];
    for (const ruling of rulings) {
      if (ruling.disable === null) continue;
      const { workspaceId, kind, id } = ruling.recorded.destination;
      const changed =
        kind === 'webhook'
          ? await this.webhooks.disable(workspaceId, id, ruling.disable, tx)
          : await this.alerts.disableChannel(workspaceId, id, ruling.disable, tx);
      if (changed) off.push(ruling);
    }
    return off;
  }
}
