import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { Problem } from '../../http/problems/problem.js';
import { WorkspaceStores } from '../../tenants/ports/workspace-stores.js';
import { WorkspacesRepository } from '../../tenants/workspaces/workspaces.repository.js';
import { TenantRowsRepository } from './tenant-rows.repository.js';

/** Rows per transaction, which limits how long their locks last to some tenths of a second. */
const BATCH_SIZE = 10_000;
/** Time limit for emptying a workspace in one request. */
const TIMEOUT_MS = 25_000;

/** Empties workspaces, e.g. between two tests. */
@Injectable()
export class WorkspaceReset {
  private readonly logger = new Logger(WorkspaceReset.name);

  constructor(
    private readonly transactions: RetryingTransactions,
    private readonly workspaces: WorkspacesRepository,
    private readonly rows: TenantRowsRepository,
    private readonly stores: WorkspaceStores,
  ) {}

  /**
   * Deletes all data, files and queue entries of a workspace; keeps its id, name, status, quotas and API keys. Its
   * executions are fenced off first, so that none can store anything afterwards. Throws 404, also while the workspace
   * is being deleted, and 503 if 25 s were not enough; repeating the call continues where it stopped.
   */
  async reset(workspaceId: string): Promise<void> {
    const startedAt = performance.now();
    // A separate transaction: a batch waiting for its lease may have locked rows that are deleted next.
    await this.inTransaction(workspaceId, (tx) => this.stores.stop(workspaceId, tx));
    // Files are removed before their records, so that an interrupted reset leaves no file without a record.
    await this.stores.empty(workspaceId);
    const { kept } = this.stores;
    let total = 0;
    // Repeats until nothing is found: writes in progress, e.g. deliveries of an event, may commit after a pass.
    for (let deleted = 1; deleted > 0; total += deleted) {
      if (performance.now() - startedAt > TIMEOUT_MS) throw unfinished(total);
      deleted = await this.inTransaction(workspaceId, (tx) =>
        this.rows.deleteBatch(workspaceId, BATCH_SIZE, tx, kept),
      );
    }
    // Files and entries of queues stored in the meantime.
    await this.stores.empty(workspaceId);
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.log({ msg: 'workspace reset', workspaceId, rows: total, durationMs });
  }

  /**
   * Runs `work` while the workspace is locked: creations that count towards a quota wait, and so does another reset.
   */
  private inTransaction<T>(workspaceId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.transactions.run(new AbortController().signal, async (tx) => {
      const workspace = await this.workspaces.lock(workspaceId, tx);
      if (workspace === null || workspace.status === 'deleting') throw Problem.noWorkspace();
      return work(tx);
    });
  }
}

function unfinished(rows: number): Problem {
  return new Problem(
    'unavailable',
    `The workspace is not empty yet: ${rows} rows deleted so far. Repeat the request.`,
    { headers: { 'Retry-After': '1' } },
  );
}
