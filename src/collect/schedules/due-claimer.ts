import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { QuotasService } from '../../tenants/usage/quotas.service.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { Job } from '../jobs/job.entity.js';
import { ScheduledJobsRepository } from '../jobs/scheduled-jobs.repository.js';
import { FAILURES_BEFORE_PAUSE, isLastingFailure, type LastJob, type DuePlan, planDue } from './due-plan.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { JobEnqueuer } from './job-enqueuer.js';
import type { Schedule } from './schedule.entity.js';
import type { EntityManager } from 'typeorm';

/** Number of schedules claimed in one transaction; bounds how long their rows stay locked. */
const BATCH_SIZE = 500;

interface Claimed {
  jobs: Job[];
  recorded: number;
  /** For each recorded due time, `job` or the reason of a skip. */
  outcomes: string[];
}

/**
 * Turns due times into jobs. Several processes may claim concurrently: row locks divide the schedules between them. If
 * a process is killed, its transaction is rolled back and other claims get its schedules. Schedules of suspended
 * workspaces stay due.
 */
@Injectable()
export class DueClaimer {
  /** Recorded due times by outcome: `job` or the reason of a skip. The process registers this metric. */
  readonly occurrences = new Counter({
    name: 'wss_schedule_occurrences_total',
    help: 'Schedule occurrences by outcome: job, or the reason for skipping',
    labelNames: ['outcome'],
    registers: [],
  });

  constructor(
    private readonly schedules: DueSchedulesRepository,
    private readonly jobs: ScheduledJobsRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
    private readonly enqueuer: JobEnqueuer,
    private readonly quotas: QuotasService,
    private readonly inactive: InactiveWorkspaces,
  ) {}

  /** Claims batches until nothing is due or `mayContinue` returns false; returns the number of recorded due times. */
  async claimDue(mayContinue: () => boolean): Promise<number> {
    let recorded = 0;
    for (let claimed = BATCH_SIZE; claimed === BATCH_SIZE && mayContinue(); recorded += claimed)
      claimed = await this.claimBatch();
    return recorded;
  }

  /**
   * Records due times, creates their jobs and updates the schedules in one transaction; returns the number of recorded
   * due times.
   */
  async claimBatch(): Promise<number> {
    const { jobs, recorded, outcomes } = await this.transactions.run<Claimed>(async (tx) => {
      const now = await this.clock.now(tx);
      const due = await this.schedules.lockDue(
        now,
        { limit: BATCH_SIZE, exceptWorkspaces: this.inactive.ids },
        tx,
      );
      if (due.length === 0) return { jobs: [], recorded: 0, outcomes: [] };
      const lastJobs = await this.lastJobs(due, tx);
      const plans = await this.withinQuota(
        due.map((schedule) => planDue(schedule, lastJobs.get(schedule.id) ?? null, now)),
        tx,
      );
      const added = await this.schedules.insertOccurrences(plans, now, tx);
      const fresh = plans.filter((plan) => added.has(plan.schedule.id));
      const jobs = fresh.flatMap((plan) => plan.job ?? []);
      await this.jobs.insert(jobs, tx);
      await this.schedules.applyPlans(plans, added, now, tx);
      return { jobs, recorded: due.length, outcomes: fresh.map((plan) => plan.skip?.reason ?? 'job') };
    });
    for (const outcome of outcomes) this.occurrences.inc({ outcome });
    this.enqueuer.enqueue(jobs);
    return recorded;
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
