import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { SpikesService } from '../../content/analytics/spikes.service.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { Alert } from '../alert/alert.entity.js';
import { AlertsRepository } from '../alert/alerts.repository.js';
import { AlertSummaryDto } from '../alert/alert.dto.js';
import { releaseTime } from '../alert/release-time.js';
import { heldSpikeEvent, spikeEvent } from '../matching/triggering.js';
import { SpikeAlertsRepository } from './spike-alerts.repository.js';
import { nextReading, readableUntil, seriesOf } from './spike-condition.js';
import type { SpikeSettings } from '../alert/spike-settings.js';

const INTERVAL_MS = 10_000;
const AT_ONCE = 20;
/** Wait after a series could not be read. */
const RETRY_MS = 5 * 60_000;

/**
 * Reads the series of alerts on spikes once a bucket is over. Events are appended in the transaction that records how
 * far the series was read, so that each spike triggers its alert once, however many schedulers there are.
 */
@Injectable()
export class SpikeWatcher extends RepeatedWork {
  private readonly logger = new Logger(SpikeWatcher.name);
  protected readonly loop = new PollingLoop(
    () => this.readDue(),
    INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'reading of series failed; the next pass retries'),
  );

  constructor(
    private readonly due: SpikeAlertsRepository,
    private readonly alerts: AlertsRepository,
    private readonly spikes: SpikesService,
    private readonly outbox: OutboxRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Reads the series that are due, up to a number; returns whether there may be more. */
  async readDue(): Promise<boolean> {
    const due = await this.due.findDue(this.clock.now(), AT_ONCE);
    for (const alert of due)
      try {
        await this.read(alert);
      } catch (error) {
        this.logger.warn({ err: error, alertId: alert.id }, 'reading of a series failed');
        const spikeDueAt = new Date(this.clock.now().getTime() + RETRY_MS);
        await this.due.schedule(alert.workspaceId, alert.id, { spikeDueAt });
      }
    return due.length === AT_ONCE;
  }

  /** The series is read before the alert is locked, because a search may take seconds. */
  private async read(alert: Alert): Promise<void> {
    const { workspaceId, id, spike, spikeReadUntil } = alert;
    const now = this.clock.now();
    const found =
      spike === null || spikeReadUntil === null || !alert.isActive
        ? null
        : await this.spikes.watch(
            workspaceId,
            seriesOf({ ...alert, spike }),
            spikeReadUntil,
            readableUntil(now),
          );
    await this.transactions.run(async (tx) => {
      const locked = await this.due.lockDue(workspaceId, id, now, tx);
      // Read by another scheduler, or changed, since.
      if (locked?.spikeReadUntil?.getTime() !== spikeReadUntil?.getTime() || locked === null) return;
      if (found === null) return this.due.schedule(workspaceId, id, { spikeDueAt: null }, tx);
      const state = { spikeDueAt: nextReading(locked, now), spikeReadUntil: found.readUntil };
      await this.due.schedule(workspaceId, id, state, tx);
      const summary = AlertSummaryDto.from(locked);
      for (const [index, one] of found.spikes.entries()) {
        const counted = { trigger_count: summary.trigger_count + index + 1, last_triggered_at: now };
        await this.alerts.countTriggering(workspaceId, [id], now, tx);
        const condition: SpikeSettings = locked.spike!;
        const event = spikeEvent({ ...summary, ...counted }, id, { ...one, ...condition });
        const release = locked.delivery === null ? null : releaseTime(locked.delivery, now.getTime(), false);
        await this.outbox.append(workspaceId, { ...event, isHeld: release !== null }, tx);
        if (release !== null)
          await this.outbox.append(workspaceId, heldSpikeEvent(event, new Date(release)), tx);
      }
    });
  }
}
