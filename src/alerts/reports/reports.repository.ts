import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, LessThanOrEqual, Not, type Repository } from 'typeorm';
import { ERASED_AUTHOR } from '../../search/query/erased-author.js';
import { ChannelRows } from '../alert/channel-rows.js';
import { Report } from './report.entity.js';

/** Reports of workspaces. */
@Injectable()
export class ReportsRepository extends ChannelRows {
  constructor(@InjectRepository(Report) private readonly reports: Repository<Report>) {
    super('reports', reports.manager);
  }

  async insert(report: Report, tx: EntityManager): Promise<void> {
    await tx.insert(Report, report);
  }

  /** Number of reports. */
  count(workspaceId: string, tx: EntityManager = this.reports.manager): Promise<number> {
    return tx.countBy(Report, { workspaceId });
  }

  /** All reports, oldest first. */
  list(workspaceId: string): Promise<Report[]> {
    return this.reports.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<Report | null> {
    return this.reports.findOneBy({ workspaceId, id });
  }

  /** The report, locked against other changes until the transaction ends. */
  lock(workspaceId: string, id: string, tx: EntityManager): Promise<Report | null> {
    return tx.findOne(Report, { where: { workspaceId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    workspaceId: string,
    id: string,
    changes: Partial<Omit<Report, 'workspaceId' | 'id'>>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.update(Report, { workspaceId, id }, changes);
  }

  /** Deletes a report; false when the workspace has no such report. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    return (await this.reports.delete({ workspaceId, id })).affected === 1;
  }

  /** Reports that are due, longest overdue first, at most `limit`, except some. Crosses workspaces. */
  findDue(now: Date, limit: number, except: readonly string[]): Promise<Report[]> {
    return this.reports.find({
      where: { dueAt: LessThanOrEqual(now), id: Not(In(except)) },
      order: { dueAt: 'ASC' },
      take: limit,
    });
  }

  /** Moves the due time of a report; false when another process has moved it since it was read, or it was deleted. */
  async moveDue(
    { workspaceId, id, dueAt: former }: Pick<Report, 'workspaceId' | 'id' | 'dueAt'>,
    dueAt: Date,
    tx: EntityManager,
  ): Promise<boolean> {
    return (await tx.update(Report, { workspaceId, id, dueAt: former }, { dueAt })).affected === 1;
  }

  /** Replaces the name of an erased author in the names of reports. */
  async eraseAuthor(workspaceId: string, author: string): Promise<void> {
    for (const { id, name } of await this.list(workspaceId))
      if (name.toLowerCase().includes(author.toLowerCase()))
        await this.reports.update({ workspaceId, id }, { name: ERASED_AUTHOR });
  }
}
