import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../database/transaction-runner.js';
import type { Job } from '../jobs/job.entity.js';
import { DatabaseClock } from './database-clock.js';
import { planDue } from './due-plan.js';
import { DueSchedulesRepository } from './due-schedules.repository.js';
import { JobAnnouncer } from './job-announcer.js';

/** Schedules claimed in one transaction; bounds how long their rows stay locked. */
const BATCH_SIZE = 500;

/**
 * Turns due times into jobs. Any number of processes may claim at once: the row locks part the work between them, and
 * what a killed one had begun is rolled back and claimed again.
 */
@Injectable()
export class DueClaimer {
  constructor(
    private readonly schedules: DueSchedulesRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: DatabaseClock,
    private readonly announcer: JobAnnouncer,
  ) {}

  /** Claims batch after batch until nothing is due or `mayGoOn` says no; returns how many due times were settled. */
  async claimDue(mayGoOn: () => boolean): Promise<number> {
    let settled = 0;
    for (let claimed = BATCH_SIZE; claimed === BATCH_SIZE && mayGoOn(); settled += claimed)
      claimed = await this.claimBatch();
    return settled;
  }

  /** One transaction: due times, their history, their jobs. Returns how many were settled. */
  async claimBatch(): Promise<number> {
    const { jobs, settled } = await this.transactions.run<{ jobs: Job[]; settled: number }>(async (tx) => {
      const now = await this.clock.now(tx);
      const due = await this.schedules.lockDue(now, BATCH_SIZE, tx);
      if (due.length === 0) return { jobs: [], settled: 0 };
      const lastJobs = await this.schedules.lastJobs(due, tx);
      const plans = due.map((schedule) => planDue(schedule, lastJobs.get(schedule.id) ?? null, now));
      return { jobs: await this.schedules.record(plans, now, tx), settled: due.length };
    });
    this.announcer.announce(jobs);
    return settled;
  }
}
