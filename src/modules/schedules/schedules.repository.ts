import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { ScheduleRun } from './schedule-run.entity.js';
import { Schedule } from './schedule.entity.js';

/** Schedules as their workspace sees them. What schedulers do across workspaces is in DueSchedulesRepository. */
@Injectable()
export class SchedulesRepository {
  constructor(@InjectRepository(Schedule) private readonly schedules: Repository<Schedule>) {}

  /** For reading outside a transaction. */
  get manager(): EntityManager {
    return this.schedules.manager;
  }

  async insert(schedule: Schedule): Promise<void> {
    await this.schedules.insert(schedule as Parameters<Repository<Schedule>['insert']>[0]);
  }

  list(workspaceId: string): Promise<Schedule[]> {
    return this.schedules.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<Schedule | null> {
    return this.schedules.findOneBy({ workspaceId, id });
  }

  /** The schedule, unchanged by anyone else until the transaction ends. */
  lock(workspaceId: string, id: string, tx: EntityManager): Promise<Schedule | null> {
    return tx.findOne(Schedule, { where: { workspaceId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    workspaceId: string,
    id: string,
    changes: Partial<Omit<Schedule, 'workspaceId' | 'id'>>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.update(Schedule, { workspaceId, id }, changes as Parameters<EntityManager['update']>[2]);
  }

  /** Removes it with its history; its jobs stay. False when the workspace has no such schedule. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const result = await this.schedules.delete({ workspaceId, id });
    return result.affected === 1;
  }

  /** Records a run that a caller asked for, at the first free instant from `at` on. The schedule must be locked. */
  async insertManualRun(
    workspaceId: string,
    id: string,
    run: { jobId: string; at: Date },
    tx: EntityManager,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO schedule_runs (workspace_id, schedule_id, due_at, trigger, job_id, recorded_at)
       SELECT $1, $2, coalesce(max(due_at) + interval '1 millisecond', $4), 'manual', $3, $4
       FROM schedule_runs WHERE workspace_id = $1 AND schedule_id = $2 AND due_at >= $4`,
      [workspaceId, id, run.jobId, run.at],
    );
  }

  /** Newest first, with the number of all. */
  listRuns(
    workspaceId: string,
    scheduleId: string,
    page: { limit: number; offset: number },
  ): Promise<[ScheduleRun[], number]> {
    return this.schedules.manager.findAndCount(ScheduleRun, {
      where: { workspaceId, scheduleId },
      order: { dueAt: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }
}
