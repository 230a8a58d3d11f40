import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager, Repository } from 'typeorm';
import type { ReportPlan } from '../../../alerts/reports/report-period.js';
import type { ExportJob } from '../export-job.entity.js';
import { RecurringExport } from './recurring-export.entity.js';

type SealedRow = Pick<RecurringExport, 'workspaceId' | 'id' | 'destinationUrl' | 'sealedSecret'>;

/** The unfinished exports of the workspace of a recurring one. */
const UNFINISHED = `FROM exports WHERE workspace_id = recurring.workspace_id AND status IN ('pending', 'running')`;

/** Which due ones wait. */
interface DueLimits {
  maxUnfinished: number;
  exceptWorkspaces: readonly string[];
  exceptIds: readonly string[];
}

/** Recurring exports of workspaces. */
@Injectable()
export class RecurringExportsRepository {
  constructor(@InjectRepository(RecurringExport) private readonly recurring: Repository<RecurringExport>) {}

  async insert(recurring: RecurringExport, tx: EntityManager): Promise<void> {
    await tx.insert(RecurringExport, recurring as Parameters<EntityManager['insert']>[1]);
  }

  /** Number of recurring exports. */
  count(workspaceId: string, tx: EntityManager = this.recurring.manager): Promise<number> {
    return tx.countBy(RecurringExport, { workspaceId });
  }

  /** All recurring exports, oldest first. */
  list(workspaceId: string): Promise<RecurringExport[]> {
    return this.recurring.find({ where: { workspaceId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  find(workspaceId: string, id: string): Promise<RecurringExport | null> {
    return this.recurring.findOneBy({ workspaceId, id });
  }

  /** The recurring export, locked against other changes until the transaction ends. */
  lock(workspaceId: string, id: string, tx: EntityManager): Promise<RecurringExport | null> {
    return tx.findOne(RecurringExport, { where: { workspaceId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Changes its name and when it runs; the caller holds the lock. */
  async update(
    workspaceId: string,
    id: string,
    changes: Partial<ReportPlan & Pick<RecurringExport, 'name' | 'isActive' | 'dueAt'>>,
    tx: EntityManager,
  ): Promise<void> {
    await tx.update(RecurringExport, { workspaceId, id }, changes);
  }

  /** Deletes a recurring export, but none of its runs. */
  async delete(workspaceId: string, id: string): Promise<void> {
    await this.recurring.delete({ workspaceId, id });
  }

  /**
   * Locks the longest due one that no other scheduler has locked, without those whose run before is unfinished, whose
   * workspace has `maxUnfinished` unfinished exports or is one of `exceptWorkspaces`, and without `exceptIds`. Crosses
   * workspaces.
   */
  lockDue(
    now: Date,
    { maxUnfinished, exceptWorkspaces, exceptIds }: DueLimits,
    tx: EntityManager,
  ): Promise<RecurringExport | null> {
    return tx
      .createQueryBuilder(RecurringExport, 'recurring')
      .where('recurring.isActive AND recurring.dueAt <= :now', { now })
      .andWhere('recurring.workspaceId <> ALL(:exceptWorkspaces)', { exceptWorkspaces })
      .andWhere('recurring.id <> ALL(:exceptIds)', { exceptIds })
      .andWhere(`NOT EXISTS (SELECT ${UNFINISHED} AND recurring_id = recurring.id)`)
      .andWhere(`(SELECT count(*) ${UNFINISHED}) < :maxUnfinished`, { maxUnfinished })
      .orderBy('recurring.dueAt')
      .limit(1)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getOne();
  }

  /**
   * Records a run that has ended. A completed one is the base of the next, unless it continues a base that has been
   * forgotten since: then rows are missing from it.
   */
  async recordRun(recurringId: string, job: ExportJob, tx: EntityManager): Promise<void> {
    const { workspaceId, id, status, errorMessage, incrementalFrom, horizon, databaseId } = job;
    const lastRun = { id, status, errorMessage, completedAt: job.completedAt!.toISOString() };
    const base = status === 'completed' ? JSON.stringify({ id, horizon, databaseId }) : null;
    await tx.query(
      `UPDATE recurring_exports SET last_run = $3,
         base = CASE WHEN $4::jsonb IS NOT NULL AND ($5::text IS NULL OR base ->> 'id' = $5) THEN $4 ELSE base END
       WHERE workspace_id = $1 AND id = $2`,
      [workspaceId, recurringId, lastRun, base, incrementalFrom],
    );
  }

  /** Up to `limit` rows after `after` whose secret does not begin with `prefix`, ordered by id. Crosses workspaces. */
  findSealedOtherwise(prefix: string, after: SealedRow | null, limit: number): Promise<SealedRow[]> {
    return this.recurring.query(
      `SELECT workspace_id AS "workspaceId", id, destination_url AS "destinationUrl", sealed_secret AS "sealedSecret"
       FROM recurring_exports
       WHERE NOT starts_with(sealed_secret, $1) AND ($2::uuid IS NULL OR (workspace_id, id) > ($2, $3::uuid))
       ORDER BY workspace_id, id LIMIT $4`,
      [prefix, after?.workspaceId ?? null, after?.id ?? null, limit],
    );
  }

  /** Replaces the encrypted secret of a row; has no effect if it has changed since `former` was read. */
  async replaceSealed(workspaceId: string, { id, sealedSecret }: SealedRow, next: SealedRow): Promise<void> {
    const former = { workspaceId, id, sealedSecret: sealedSecret! };
    await this.recurring.update(former, { sealedSecret: next.sealedSecret });
  }

  /** Whether an export, which expires, has a secret that does not begin with `prefix`. Crosses workspaces. */
  async hasRunSealedOtherwise(prefix: string): Promise<boolean> {
    const rows = await this.recurring.query<unknown[]>(
      'SELECT FROM exports WHERE NOT starts_with(sealed_secret, $1) LIMIT 1',
      [prefix],
    );
    return rows.length > 0;
  }

  /** Lets the next runs of these kinds have all rows again, because the files of earlier ones were removed. */
  async forgetBases(workspaceId: string, kinds: readonly string[]): Promise<void> {
    await this.recurring.query(
      `UPDATE recurring_exports SET base = NULL WHERE workspace_id = $1 AND choices ->> 'kind' = ANY ($2)`,
      [workspaceId, kinds],
    );
  }

  /** Deletes recurring exports whose name or filters name a text, in any case: without it, they would have other rows. */
  async deleteNaming(workspaceId: string, text: string): Promise<void> {
    await this.recurring.query(
      `DELETE FROM recurring_exports
       WHERE workspace_id = $1 AND strpos(lower(name || (choices -> 'filters')::text), lower($2)) > 0`,
      [workspaceId, text],
    );
  }
}
