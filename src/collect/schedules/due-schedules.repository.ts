import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Backlog, backlogColumns } from '../../database/backlog.js';
import type { JobRef } from '../jobs/jobs.repository.js';
import type { DuePlan } from './due-plan.js';
import { Schedule } from './schedule.entity.js';

/** The schedulers' access to schedules. Schedulers serve every workspace, so these methods take no workspace id. */
@Injectable()
export class DueSchedulesRepository {
  /**
   * Locks up to `limit` due schedules, longest due first. Skips those that another scheduler has locked and those of
   * `exceptWorkspaces`.
   */
  lockDue(
    now: Date,
    { limit, exceptWorkspaces }: { limit: number; exceptWorkspaces: readonly string[] },
    tx: EntityManager,
  ): Promise<Schedule[]> {
    return tx
      .createQueryBuilder(Schedule, 'schedule')
      .where('schedule.isActive AND schedule.nextRunAt <= :now', { now })
      .andWhere('schedule.workspaceId <> ALL(:exceptWorkspaces)', { exceptWorkspaces })
      .orderBy('schedule.nextRunAt')
      .limit(limit)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
  }

  /** The backlog of due schedules, except those of `exceptWorkspaces`. */
  async backlog(exceptWorkspaces: readonly string[], manager: EntityManager): Promise<Backlog> {
    const [row] = await manager.query<[Backlog]>(
      `SELECT ${backlogColumns('next_run_at')} FROM schedules WHERE is_active AND next_run_at <= clock_timestamp() AND workspace_id <> ALL ($1::uuid[])`,
      [exceptWorkspaces],
    );
    return row;
  }

  /** Up to `limit` of the newest jobs of each schedule since it was resumed, by schedule id. */
  async newestJobs(
    schedules: readonly Schedule[],
    limit: number,
    tx: EntityManager,
  ): Promise<Map<string, JobRef[]>> {
    const rows = await tx.query<{ workspace_id: string; schedule_id: string; job_ids: string[] }[]>(
      `SELECT schedule.workspace_id, schedule.id AS schedule_id, ARRAY(
         SELECT run.job_id FROM schedule_runs AS run
         WHERE run.workspace_id = schedule.workspace_id AND run.schedule_id = schedule.id
           AND run.job_id IS NOT NULL AND run.recorded_at >= schedule.resumed_at
         ORDER BY run.due_at DESC LIMIT $4
       ) AS job_ids
       FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS schedule (workspace_id, id, resumed_at)`,
      [
        schedules.map((schedule) => schedule.workspaceId),
        schedules.map((schedule) => schedule.id),
        schedules.map((schedule) => schedule.resumedAt),
        limit,
      ],
    );
    return new Map(
      rows.map(({ workspace_id: workspaceId, schedule_id: scheduleId, job_ids: jobIds }) => [
        scheduleId,
        jobIds.map((id) => ({ workspaceId, id })),
      ]),
    );
  }

  /** Records the due times; returns the ids of schedules whose due time was not recorded before. */
  async insertOccurrences(plans: readonly DuePlan[], now: Date, tx: EntityManager): Promise<Set<string>> {
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

  /**
   * Writes the schedules' new state; counts a run only for schedules in `added`, because only their jobs were created.
   */
  async applyPlans(
    plans: readonly DuePlan[],
    added: ReadonlySet<string>,
    now: Date,
    tx: EntityManager,
  ): Promise<void> {
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
  }

  /**
   * Deletes up to `limit` occurrences recorded before a time, but keeps the newest ones of each schedule; returns their
   * number.
   */
  async deleteOccurrences(
    { before, newestKept, limit }: { before: Date; newestKept: number; limit: number },
    tx: EntityManager,
  ): Promise<number> {
    const [, deleted] = await tx.query<[unknown[], number]>(
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
    return deleted;
  }
}
