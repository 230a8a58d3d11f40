import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { WorkspaceStores } from '../../tenants/ports/workspace-stores.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';
import { TenantRowsRepository } from './tenant-rows.repository.js';

const POLL_MS = 1_000;
/** Rows per transaction: a few tens of milliseconds, so that locks are short. */
const BATCH_SIZE = 1_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Deletes the workspaces whose deletion was requested, in small transactions: rows, then queue entries and files, and
 * finally the workspace itself. Any number of processes may do this; a process that is killed loses at most one batch,
 * and the others continue.
 */
@Injectable()
export class WorkspaceDeleter extends RepeatedWork {
  constructor(
    private readonly inactive: InactiveWorkspaces,
    private readonly workspaces: WorkspacesRepository,
    private readonly rows: TenantRowsRepository,
    private readonly stores: WorkspaceStores,
    private readonly transactions: TransactionRunner,
  ) {
    super(POLL_MS, 'deleting workspaces failed; it is retried', 'error');
  }

  /** Pauses after each batch for as long as it took, so that other workspaces get half of the database's time. */
  override async work(): Promise<boolean> {
    let isMore = false;
    for (const workspaceId of this.inactive.deleting) {
      const startedAt = performance.now();
      if (!(await this.deleteBatch(workspaceId).catch((error: unknown) => this.failed(workspaceId, error))))
        continue;
      isMore = true;
      await sleep(Math.min(LONGEST_PAUSE_MS, performance.now() - startedAt));
    }
    return isMore;
  }

  /**
   * Logs a failure. A workspace that cannot be deleted, e.g. because a file cannot be removed, must not delay the
   * others.
   */
  private failed(workspaceId: string, error: unknown): false {
    this.logger.error({ err: error, workspaceId }, 'deleting a workspace failed; it is retried');
    return false;
  }

  /**
   * Deletes the next batch of a workspace, and the workspace itself at the end; returns whether more can be done now.
   */
  async deleteBatch(workspaceId: string, limit = BATCH_SIZE): Promise<boolean> {
    if (await this.stores.isBusy(workspaceId)) return false;
    const deleted = await this.transactions.run(async (tx) => {
      const workspace = await this.workspaces.lockDeleting(workspaceId, tx);
      if (workspace === null) return null;
      const count = await this.rows.deleteBatch(workspaceId, limit, tx);
      const deletion = { ...workspace.deletion!, rows: workspace.deletion!.rows + count };
      if (count > 0) await this.workspaces.update(workspaceId, { deletion }, tx);
      return count;
    });
    if (deleted === null) return false;
    if (deleted > 0) return true;
    await this.stores.empty(workspaceId);
    const isDeleted = await this.transactions.run(async (tx) => {
      if (!(await this.workspaces.deleteRequested(workspaceId, tx))) return false;
      // Rows added in the meantime went by their foreign key, but distributed tables have none.
      while ((await this.rows.deleteBatch(workspaceId, limit, tx)) > 0);
      return true;
    });
    if (isDeleted) this.logger.log({ workspaceId }, 'workspace deleted');
    return false;
  }
}
