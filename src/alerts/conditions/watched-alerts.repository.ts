import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Alert } from '../alert/alert.entity.js';
import { lockDueAlert } from '../alert/lock-due-alert.js';

/** The state of an alert on spikes or stories after a reading. */
export type ReadingState = Partial<
  Pick<Alert, 'spikeDueAt' | 'spikeReadUntil' | 'story' | 'sentHour' | 'sentInHour'>
>;

/** Alerts on spikes and stories: which are due to be read. */
@Injectable()
export class WatchedAlertsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Alerts that are due, longest overdue first, at most `limit`. Crosses workspaces. */
  findDue(now: Date, limit: number): Promise<Alert[]> {
    return this.dataSource
      .createQueryBuilder(Alert, 'alert')
      .where('alert.spikeDueAt <= :now', { now })
      .orderBy('alert.spikeDueAt')
      .limit(limit)
      .getMany();
  }

  /** Locks an alert that is due; null when it is not due any more, or another process has locked it. */
  lockDue(workspaceId: string, id: string, now: Date, tx: EntityManager): Promise<Alert | null> {
    return lockDueAlert(tx, 'spikeDueAt', workspaceId, id, now);
  }

  /** Sets when an alert is read next, and what was read and sent. */
  async schedule(
    workspaceId: string,
    id: string,
    state: ReadingState,
    tx: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await tx.update(Alert, { workspaceId, id }, state);
  }
}
