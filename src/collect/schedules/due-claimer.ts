import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { Job } from '../jobs/job.entity.js';
import { DueJobs } from './due-jobs.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { JobEnqueuer } from './job-enqueuer.js';

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
    private readonly dueJobs: DueJobs,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
    private readonly enqueuer: JobEnqueuer,
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
      const plans = await this.dueJobs.plan(due, now, tx);
      const added = await this.schedules.insertOccurrences(plans, now, tx);
      const fresh = plans.filter((plan) => added.has(plan.schedule.id));
      const jobs = fresh.flatMap((plan) => plan.job ?? []);
      await this.dueJobs.insert(jobs, tx);
      await this.schedules.applyPlans(plans, added, now, tx);
      return { jobs, recorded: due.length, outcomes: fresh.map((plan) => plan.skip?.reason ?? 'job') };
    });
    for (const outcome of outcomes) this.occurrences.inc({ outcome });
    this.enqueuer.enqueue(jobs);
    return recorded;
  }
}
