import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { nextSending } from '../../../alerts/reports/report-period.js';
import { newId } from '../../../common/ids.js';
import { RepeatedWork } from '../../../common/repeated-work.js';
import { RestingIds } from '../../../common/resting-ids.js';
import { DatabaseClock } from '../../../database/database-clock.js';
import { TransactionRunner } from '../../../database/transaction-runner.js';
import { InactiveWorkspaces } from '../../../tenants/workspaces/inactive-workspaces.js';
import { ExportJobsRepository, MAX_UNFINISHED } from '../export-jobs.repository.js';
import type { RecurringExport, RunBase } from './recurring-export.entity.js';
import { RecurringExportsRepository } from './recurring-exports.repository.js';

const INTERVAL_MS = 2_000;

/**
 * Creates the runs of recurring exports, which workers write like any export. The transaction that creates a run moves
 * the due time, so each due time has one run, however many schedulers there are. Of several due times that were missed,
 * or passed while the run before was unfinished, only one is made up for.
 */
@Injectable()
export class RecurringExportRunner extends RepeatedWork {
  private readonly resting = new RestingIds();

  constructor(
    private readonly recurring: RecurringExportsRepository,
    private readonly jobs: ExportJobsRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
    private readonly inactive: InactiveWorkspaces,
  ) {
    super(INTERVAL_MS, 'a run of a recurring export failed to start; retried');
  }

  /** Creates the run that is due longest; false when there is none. */
  override work(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const now = await this.clock.now(tx);
      const due = await this.recurring.lockDue(
        now,
        {
          maxUnfinished: MAX_UNFINISHED,
          exceptWorkspaces: this.inactive.ids,
          exceptIds: this.resting.at(now),
        },
        tx,
      );
      if (due === null) return false;
      try {
        const isCreated = await this.createRun(due, tx);
        const dueAt = new Date(nextSending(due, now.getTime()));
        if (isCreated) await this.recurring.update(due.workspaceId, due.id, { dueAt }, tx);
        return isCreated;
      } catch (error) {
        this.resting.add(due.id, now);
        throw error;
      }
    });
  }

  private async createRun(due: RecurringExport, tx: EntityManager): Promise<boolean> {
    const base = due.onlyChanges ? await this.usableBase(due, tx) : null;
    const run = {
      ...due.choices,
      id: newId(),
      name: due.name,
      recurringId: due.id,
      destinationUrl: due.destinationUrl,
      sealedSecret: due.sealedSecret,
      incrementalFrom: base?.id ?? null,
      changedSince: base?.horizon ?? null,
    };
    return this.jobs.insert(due.workspaceId, run, MAX_UNFINISHED, tx);
  }

  /** The run before; null when its transaction ids mean nothing any more, so that the next one has all rows. */
  private async usableBase({ base }: RecurringExport, tx: EntityManager): Promise<RunBase | null> {
    if (base === null || base.databaseId !== (await this.jobs.databaseId(tx))) return null;
    return (await this.jobs.areRowsDistributed(tx)) ? null : base;
  }
}
