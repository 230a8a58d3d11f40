import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Job, type JobStatus } from '../jobs/job.entity.js';
import { type DuePlan, FAILURES_BEFORE_PAUSE, type LastJob, LASTING_FAILURES } from './due-plan.js';
import { Schedule } from './schedule.entity.js';

interface LastJobRow {
  schedule_id: string;
  id: string;
  status: JobStatus;
  error_message: string | null;
  lasting_failures: number;
}

/** The schedulers' side of schedules. Schedulers serve every workspace, so these methods take no workspace id. */
@Injectable()
export class DueSchedulesRepository {
  /** Locks up to `limit` due schedules, longest due first, leaving those that another scheduler holds. */
  lockDue(now: Date, limit: number, tx: EntityManager): Promise<Schedule[]> {
    return tx
      .createQueryBuilder(Schedule, 'schedule')
      .where('schedule.isActive AND schedule.nextRunAt <= :now', { now })
      .orderBy('schedule.nextRunAt')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  /** The last jobs of locked schedules by schedule id. Asked for after locking, so that they are the newest. */
  async lastJobs(schedules: readonly Schedule[], tx: EntityManager): Promise<Map<string, LastJob>> {
    const rows = await tx.query<LastJobRow[]>(
      `SELECT schedule.id AS schedule_id, job.id, job.status, job.error_message,
         CASE WHEN job.status = 'failed' AND job.error_code = ANY($5) THEN (
           SELECT count(*)::int FROM (
             SELECT newest.status, newest.error_code FROM schedule_runs AS run
             JOIN jobs AS newest ON newest.workspace_id = run.workspace_id AND newest.id = run.job_id
             WHERE run.workspace_id = schedule.workspace_id AND run.schedule_id = schedule.id
               AND run.job_id IS NOT NULL AND run.recorded_at >= schedule.resumed_at
             ORDER BY run.due_at DESC LIMIT $6
           ) AS newest
           WHERE newest.status = 'failed' AND newest.error_code = ANY($5)
         ) ELSE 0 END AS lasting_failures
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[])
         AS schedule (workspace_id, id, last_job_id, resumed_at)
       JOIN jobs AS job ON job.workspace_id = schedule.workspace_id AND job.id = schedule.last_job_id`,
      [
        schedules.map((schedule) => schedule.workspaceId),
        schedules.map((schedule) => schedule.id),
        schedules.map((schedule) => schedule.lastJobId),
        schedules.map((schedule) => schedule.resumedAt),
        LASTING_FAILURES,
        FAILURES_BEFORE_PAUSE,
      ],
    );
    return new Map(
      rows.map((row) => [
        row.schedule_id,
        {
          id: row.id,
          status: row.status,
          errorMessage: row.error_message,
          lastingFailures: row.lasting_failures,
        },
      ]),
    );
  }

  /**
   * Writes history, jobs and the schedules' new state in the transaction that locked them; returns the jobs made.
   * A due time that is in the history already makes no second job.
   */
  async record(plans: readonly DuePlan[], now: Date, tx: EntityManager): Promise<Job[]> {
    const added = await this.insertRuns(plans, now, tx);
    const fresh = plans.filter((plan) => added.has(plan.schedule.id));
    const jobs = fresh.flatMap((plan) => plan.job ?? []);
    if (jobs.length > 0) await tx.insert(Job, jobs as Parameters<EntityManager['insert']>[1]);
    await tx.query(
      `UPDATE schedules SET next_run_at = plan.next_run_at,
         is_active = NOT plan.pause,
         last_run_at = CASE WHEN plan.job_id IS NULL THEN schedules.last_run_at ELSE $6 END,
         run_count = schedules.run_count + CASE WHEN plan.job_id IS NULL THEN 0 ELSE 1 END,
         last_job_id = coalesce(plan.job_id, schedules.last_job_id)
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::boolean[], $5::uuid[])
         AS plan (workspace_id, id, next_run_at, pause, job_id)
       WHERE schedules.workspace_id = plan.workspace_id AND schedules.id = plan.id`,
      [
        plans.map((plan) => plan.schedule.workspaceId),
        plans.map((plan) => plan.schedule.id),
        plans.map((plan) => plan.nextRunAt),
        plans.map((plan) => plan.pause),
        plans.map((plan) => (added.has(plan.schedule.id) ? (plan.job?.id ?? null) : null)),
        now,
      ],
    );
    return jobs;
  }

  /** Removes up to `limit` runs recorded before a time, but never one of a schedule's newest. Returns how many went. */
  async pruneRuns(
    { before, newestKept, limit }: { before: Date; newestKept: number; limit: number },
    tx: EntityManager,
  ): Promise<number> {
    const [, gone] = await tx.query<[unknown[], number]>(
      `WITH old AS MATERIALIZED (
         SELECT workspace_id, schedule_id, due_at FROM schedule_runs AS run
         WHERE recorded_at < $1 AND due_at < (
           SELECT newer.due_at FROM schedule_runs AS newer
           WHERE newer.workspace_id = run.workspace_id AND newer.schedule_id = run.schedule_id
           ORDER BY newer.due_at DESC OFFSET $2 - 1 LIMIT 1)
         ORDER BY recorded_at LIMIT $3 FOR UPDATE SKIP LOCKED
       )
       DELETE FROM schedule_runs AS run USING old
       WHERE run.workspace_id = old.workspace_id AND run.schedule_id = old.schedule_id AND run.due_at = old.due_at`,
      [before, newestKept, limit],
    );
    return gone;
  }

  /** Ids of the schedules whose due time was not in the history yet. */
  private async insertRuns(plans: readonly DuePlan[], now: Date, tx: EntityManager): Promise<Set<string>> {
    const rows = await tx.query<{ schedule_id: string }[]>(
      `INSERT INTO schedule_runs
         (workspace_id, schedule_id, due_at, trigger, job_id, skip_reason, detail, recorded_at)
       SELECT workspace_id, schedule_id, due_at, 'cron', job_id, skip_reason, detail, $7
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::text[])
         AS plan (workspace_id, schedule_id, due_at, job_id, skip_reason, detail)
       ON CONFLICT (workspace_id, schedule_id, due_at) DO NOTHING RETURNING schedule_id`,
      [
        plans.map((plan) => plan.schedule.workspaceId),
        plans.map((plan) => plan.schedule.id),
        plans.map((plan) => plan.dueAt),
        plans.map((plan) => plan.job?.id ?? null),
        plans.map((plan) => plan.skip?.reason ?? null),
        plans.map((plan) => plan.skip?.detail ?? null),
        now,
      ],
    );
    return new Set(rows.map((row) => row.schedule_id));
  }
}
