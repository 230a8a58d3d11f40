import { Injectable } from '@nestjs/common';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import type { Job } from '../jobs/job.entity.js';
import { ScheduledJobsRepository } from '../jobs/scheduled-jobs.repository.js';
import { FAILURES_BEFORE_PAUSE, isLastingFailure, type LastJob, type DuePlan, planDue } from './due-plan.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import type { Schedule } from './schedule.entity.js';
import type { EntityManager } from 'typeorm';

/** Decides which due times become jobs, and stores these jobs. */
@Injectable()
export class DueJobs {
  constructor(
    private readonly schedules: DueSchedulesRepository,
    private readonly jobs: ScheduledJobsRepository,
    private readonly quotas: QuotasService,
  ) {}

  /** The plans of locked schedules whose due time has come. */
  async plan(due: readonly Schedule[], now: Date, tx: EntityManager): Promise<DuePlan[]> {
    const lastJobs = await this.lastJobs(due, tx);
    return this.withinQuota(
      due.map((schedule) => planDue(schedule, lastJobs.get(schedule.id) ?? null, now)),
      tx,
    );
  }

  insert(jobs: readonly Job[], tx: EntityManager): Promise<void> {
    return this.jobs.insert(jobs, tx);
  }

  /**
   * The last jobs of locked schedules by schedule id. Call it only after locking, so that these are the newest jobs.
   */
  private async lastJobs(due: readonly Schedule[], tx: EntityManager): Promise<Map<string, LastJob>> {
    const lastJobs = await this.jobs.states(
      due.flatMap(({ workspaceId, lastJobId }) =>
        lastJobId === null ? [] : [{ workspaceId, id: lastJobId }],
      ),
      tx,
    );
    const lastJobOf = (schedule: Schedule) =>
      schedule.lastJobId === null ? undefined : lastJobs.get(schedule.lastJobId);
    const failing = due.filter((schedule) => {
      const last = lastJobOf(schedule);
      return last !== undefined && isLastingFailure(last);
    });
    const failures = await this.lastingFailures(failing, tx);
    return new Map(
      due.flatMap((schedule) => {
        const last = lastJobOf(schedule);
        if (schedule.lastJobId === null || last === undefined) return [];
        return [
          [
            schedule.id,
            {
              id: schedule.lastJobId,
              status: last.status,
              errorMessage: last.errorMessage,
              lastingFailures: failures.get(schedule.id) ?? 0,
            },
          ],
        ];
      }),
    );
  }

  /** By schedule id: how many of the newest jobs since the schedule was resumed failed for a lasting reason. */
  private async lastingFailures(
    schedules: readonly Schedule[],
    tx: EntityManager,
  ): Promise<Map<string, number>> {
    if (schedules.length === 0) return new Map();
    const newest = await this.schedules.newestJobs(schedules, FAILURES_BEFORE_PAUSE, tx);
    const states = await this.jobs.states([...newest.values()].flat(), tx);
    return new Map(
      [...newest].map(([scheduleId, jobs]) => [
        scheduleId,
        jobs.filter(({ id }) => {
          const state = states.get(id);
          return state !== undefined && isLastingFailure(state);
        }).length,
      ]),
    );
  }

  /** The plans, where jobs that exceed their workspace's quota of pending jobs become skipped occurrences. */
  private async withinQuota(plans: DuePlan[], tx: EntityManager): Promise<DuePlan[]> {
    const creating = plans.filter((plan) => plan.job !== null);
    const remaining = new Map<string, number>();
    // Sort, so that two schedulers lock workspaces in the same order.
    for (const workspaceId of [...new Set(creating.map((plan) => plan.schedule.workspaceId))].sort())
      remaining.set(workspaceId, await this.quotas.remaining(workspaceId, 'pending_jobs', tx));
    return plans.map((plan) => {
      if (plan.job === null) return plan;
      const { workspaceId } = plan.schedule;
      const left = remaining.get(workspaceId)!;
      remaining.set(workspaceId, left - 1);
      if (left > 0) return plan;
      this.quotas.refusals.inc({ quota: 'pending_jobs' });
      const detail = 'The workspace has as many pending jobs as its quota pending_jobs allows';
      return { ...plan, job: null, skip: { reason: 'quota_exceeded', detail } };
    });
  }
}
