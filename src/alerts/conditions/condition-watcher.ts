import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { AlertSummaryDto } from '../alert/alert.dto.js';
import { turnOf } from '../alert/release-time.js';
import { type AlertFinding, findingEvent, heldFindingEvent } from '../matching/triggering.js';
import { AlertReadings } from './alert-readings.js';
import { WatchedAlertsRepository } from './watched-alerts.repository.js';

const INTERVAL_MS = 10_000;
const AT_ONCE = 20;
/** Wait after an alert could not be read. */
const RETRY_MS = 5 * 60_000;

/**
 * Reads the series of alerts on spikes once a bucket is over, and the stories of alerts on stories again and again.
 * Events are appended in the transaction that records what was read, so that each spike and story triggers its alert
 * once, however many schedulers there are.
 */
@Injectable()
export class ConditionWatcher extends RepeatedWork {
  constructor(
    private readonly due: WatchedAlertsRepository,
    private readonly alerts: AlertsRepository,
    private readonly readings: AlertReadings,
    private readonly outbox: OutboxRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {
    super(INTERVAL_MS, 'reading of alerts failed; the next pass retries');
  }

  /** Reads the alerts that are due, up to a number; returns whether there may be more. */
  override async work(): Promise<boolean> {
    const due = await this.due.findDue(this.clock.now(), AT_ONCE);
    for (const alert of due)
      try {
        await this.read(alert);
      } catch (error) {
        this.logger.warn({ err: error, alertId: alert.id }, 'reading of an alert failed');
        const spikeDueAt = new Date(this.clock.now().getTime() + RETRY_MS);
        await this.due.schedule(alert.workspaceId, alert.id, { spikeDueAt });
      }
    return due.length === AT_ONCE;
  }

  /** The matches are read before the alert is locked, because a search may take seconds. */
  private async read(alert: Alert): Promise<void> {
    const { workspaceId, id, spikeReadUntil } = alert;
    const now = this.clock.now();
    const reading = await this.readings.read(alert, now);
    await this.transactions.run(async (tx) => {
      const locked = await this.due.lockDue(workspaceId, id, now, tx);
      // Read by another scheduler, or changed, since.
      if (locked?.spikeReadUntil?.getTime() !== spikeReadUntil?.getTime() || locked === null) return;
      if (reading === null) return this.due.schedule(workspaceId, id, { spikeDueAt: null }, tx);
      const sent = await this.trigger(locked, reading.findings, now, tx);
      await this.due.schedule(workspaceId, id, { ...reading.state, ...sent }, tx);
    });
  }

  /** Triggers a locked alert once for each finding; returns how often its channel was notified. */
  private async trigger(
    alert: Alert,
    findings: readonly AlertFinding[],
    now: Date,
    tx: EntityManager,
  ): Promise<Pick<Alert, 'sentHour' | 'sentInHour'>> {
    const { workspaceId, id, delivery, triggerCount } = alert;
    let { sentHour, sentInHour } = alert;
    for (const [index, finding] of findings.entries()) {
      await this.alerts.countTriggering(workspaceId, [id], now, tx);
      const counted = { ...alert, triggerCount: triggerCount + index + 1, lastTriggeredAt: now };
      const event = findingEvent(AlertSummaryDto.from(counted), id, finding);
      const turn = delivery === null ? null : turnOf(delivery, { sentHour, sentInHour }, now);
      if (turn !== null) ({ sentHour, sentInHour } = turn);
      const release = turn?.release ?? null;
      await this.outbox.append(workspaceId, { ...event, isHeld: release !== null }, tx);
      if (release !== null) await this.outbox.append(workspaceId, heldFindingEvent(event, release), tx);
    }
    return { sentHour, sentInHour };
  }
}
