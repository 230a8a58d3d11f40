import { createHash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { Job } from '../../src/collect/jobs/job.entity.js';
import { JobsRepository } from '../../src/collect/jobs/jobs.repository.js';
import { QuotasService } from '../../src/tenants/usage/quotas.service.js';
import { InactiveWorkspaces } from '../../src/tenants/workspaces/inactive-workspaces.js';
import { WorkspacesRepository } from '../../src/tenants/workspaces/workspaces.repository.js';
import type { JobQueue } from '../../src/collect/jobs/job-queue.js';
import { DatabaseClock } from '../../src/database/database-clock.js';
import { ScheduledJobsRepository } from '../../src/collect/jobs/scheduled-jobs.repository.js';
import { DueClaimer } from '../../src/collect/schedules/due-claimer.js';
import { DueSchedulesRepository } from '../../src/collect/schedules/due-schedules.repository.js';
import { JobEnqueuer } from '../../src/collect/schedules/job-enqueuer.js';
import { nextDue } from '../../src/collect/schedules/schedule-timing.js';
import type { ScheduleConfig } from '../../src/collect/schedules/schedule.entity.js';
import { DueJobs } from '../../src/collect/schedules/due-jobs.js';

/** A simulated time of day that several processes share through a table of the test's database. */
export class SimulatedClock extends DatabaseClock {
  constructor(private readonly manager: EntityManager) {
    super();
  }

  static async start(manager: EntityManager, now: Date): Promise<SimulatedClock> {
    await manager.query('CREATE TABLE IF NOT EXISTS simulated_clock (now timestamptz NOT NULL)');
    await manager.query('DELETE FROM simulated_clock');
    await manager.query('INSERT INTO simulated_clock VALUES ($1)', [now]);
    return new SimulatedClock(manager);
  }

  async now(tx: EntityManager = this.manager): Promise<Date> {
    const [row] = await tx.query<[{ now: Date }]>('SELECT now FROM simulated_clock');
    return row.now;
  }

  async set(manager: EntityManager, now: Date): Promise<void> {
    await manager.query('UPDATE simulated_clock SET now = $1', [now]);
  }
}

/** Quotas without a limit of pending jobs, unless a workspace has its own. */
function quotasOn(dataSource: DataSource): QuotasService {
  const quotas = new QuotasService(
    parseEnvironment({ QUOTA_PENDING_JOBS: '0' }),
    new WorkspacesRepository(dataSource),
  );
  const jobs = new JobsRepository(dataSource.getRepository(Job));
  quotas.register('pending_jobs', (workspaceId, tx) => jobs.countPending(workspaceId, tx));
  return quotas;
}

/** A claimer with the dependencies of a scheduler process. */
export function claimerOn(
  dataSource: DataSource,
  clock: DatabaseClock,
  queue: Pick<JobQueue, 'enqueue'> = { enqueue: () => Promise.resolve(true) },
): DueClaimer {
  return new DueClaimer(
    new DueSchedulesRepository(),
    new DueJobs(new DueSchedulesRepository(), new ScheduledJobsRepository(), quotasOn(dataSource)),
    new TransactionRunner(dataSource),
    clock,
    new JobEnqueuer(queue),
    new InactiveWorkspaces(new WorkspacesRepository(dataSource)),
  );
}

/** A deterministic uuid for a number. */
export function numberedId(number: number): string {
  const hex = createHash('sha256').update(String(number)).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
}

export interface NewSchedule {
  id: string;
  cronExpression: string;
  config: ScheduleConfig;
}

/** Inserts active schedules in one statement; each is first due at its first time after `after`. */
export async function insertSchedules(
  manager: EntityManager,
  workspaceId: string,
  schedules: readonly NewSchedule[],
  after: Date,
): Promise<void> {
  await manager.query(
    `INSERT INTO schedules
       (workspace_id, id, target, target_type, mode, config, cron_expression, next_run_at, resumed_at, created_at)
     SELECT $1, id, 'technology', 'forum', 'full', config, cron, due, $6, $6
     FROM unnest($2::uuid[], $3::jsonb[], $4::text[], $5::timestamptz[]) AS s (id, config, cron, due)`,
    [
      workspaceId,
      schedules.map((schedule) => schedule.id),
      schedules.map((schedule) => JSON.stringify(schedule.config)),
      schedules.map((schedule) => schedule.cronExpression),
      schedules.map((schedule) => nextDue(schedule, after)),
      after,
    ],
  );
}
