import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import { Occurrence } from './occurrence.entity.js';
import { Schedule } from './schedule.entity.js';

/** Schedules of one workspace. Schedulers use {@link DueSchedulesRepository}, which serves all workspaces. */
@Injectable()
export class SchedulesRepository {
  constructor(@InjectRepository(Schedule) private readonly schedules: Repository<Schedule>) {}

  async insert(schedule: Schedule | Schedule[], tx: EntityManager): Promise<void> {
    await tx.insert(Schedule, schedule as Parameters<EntityManager['insert']>[1]);
  }

  /** Number of schedules. */
  count(workspaceId: string, tx: EntityManager = this.schedules.manager): Promise<number> {
    return tx.countBy(Schedule, { workspaceId });
  }

  list(workspaceId: string, tx: EntityManager = this.schedules.manager): Promise<Schedule[]> {
    return tx.find(Schedule, { where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<Schedule | null> {
    return this.schedules.findOneBy({ workspaceId, id });
  }

  /**
   * Returns the schedule with its row locked until the transaction ends; null when the workspace has no such schedule.
   */
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

  /** Deletes a schedule and its history but keeps its jobs. Returns false when the workspace has no such schedule. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const result = await this.schedules.delete({ workspaceId, id });
    return result.affected === 1;
  }

  /**
   * Records a run requested through the API at the first free instant from `at` on. The caller must hold the schedule's
   * lock.
   */
  async insertManualOccurrence(
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

  /** A page of a schedule's occurrences, newest first, and their total number. */
  listOccurrences(
    workspaceId: string,
    scheduleId: string,
    page: { limit: number; offset: number },
  ): Promise<[Occurrence[], number]> {
    return this.schedules.manager.findAndCount(Occurrence, {
      where: { workspaceId, scheduleId },
      order: { dueAt: 'DESC' },
      take: page.limit,
      skip: page.offset,
    });
  }
}
