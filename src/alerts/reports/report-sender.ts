import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { publicId } from '../../common/ids.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { RestingIds } from '../../common/resting-ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import type { Report } from './report.entity.js';
import { ReportFiguresService } from './report-figures.service.js';
import { lastSending, nextSending } from './report-period.js';
import { ReportsRepository } from './reports.repository.js';

const INTERVAL_MS = 2_000;
const AT_ONCE = 20;

/**
 * Sends reports. A report is appended to the outbox in the transaction that moves its due time, so it is sent once a
 * period, whatever process ends when, and however many schedulers there are.
 */
@Injectable()
export class ReportSender extends RepeatedWork {
  private readonly resting = new RestingIds();

  constructor(
    private readonly reports: ReportsRepository,
    private readonly figures: ReportFiguresService,
    private readonly outbox: OutboxRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {
    super(INTERVAL_MS, 'sending of reports failed; the next pass retries');
  }

  /** Sends the reports that are due, up to a number; returns whether there may be more. */
  override async work(): Promise<boolean> {
    const now = this.clock.now();
    const due = await this.reports.findDue(now, AT_ONCE, this.resting.at(now));
    let sent = 0;
    for (const report of due)
      try {
        await this.send(report, now);
        sent += 1;
      } catch (error) {
        const { workspaceId, id: reportId } = report;
        this.resting.add(reportId, now);
        this.logger.warn({ err: error, workspaceId, reportId }, 'a report failed; it is tried again later');
      }
    return due.length === AT_ONCE && sent > 0;
  }

  /** Of several periods that a stopped scheduler missed, sends the last. */
  private async send(report: Report, now: Date): Promise<void> {
    const { workspaceId, id } = report;
    const last = lastSending(report, report.dueAt.getTime(), now.getTime());
    const content = await this.figures.content(workspaceId, report, new Date(last));
    await this.transactions.run(async (tx) => {
      if (!(await this.reports.moveDue(report, new Date(nextSending(report, last)), tx))) return;
      await this.outbox.append(
        workspaceId,
        {
          type: 'report.ready',
          // A report whose time is moved after it was sent is not sent twice for the same period.
          uniqueKey: `report:${id}:${report.every}:${content.period.to.toISOString()}`,
          subjectId: id,
          data: { report_id: publicId('report', id), ...content },
        },
        tx,
      );
    });
  }
}
