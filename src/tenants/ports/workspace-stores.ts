import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** How one owner takes part in the deletion and the reset of a workspace, whose rows go by their `workspace_id`. */
export interface WorkspaceStore {
  /**
   * Tables whose rows a reset keeps: credentials and addresses, erasures and suppressions, and versions that must keep
   * growing because processes cache values under them. Triggers reduce counts to 0 and queue the deleted rows for the
   * search index, which stays correct only because a reset deletes none of its own rows.
   */
  kept?: readonly string[];
  /** Whether running work may still store rows or files; a deletion waits for it. */
  isBusy?: (workspaceId: string) => Promise<boolean>;
  /** Ends running work before a reset, in a transaction that locks the workspace. */
  stop?: (workspaceId: string, tx: EntityManager) => Promise<void>;
  /** Removes files or entries of queues. Can be repeated. */
  empty?: (workspaceId: string) => Promise<void>;
}

/** Where owners register their part in the deletion and the reset of workspaces. */
@Injectable()
export class WorkspaceStores {
  private readonly stores: WorkspaceStore[] = [];

  /** Call it once per owner, at startup. */
  register(store: WorkspaceStore): void {
    this.stores.push(store);
  }

  /** All tables whose rows a reset keeps. */
  get kept(): ReadonlySet<string> {
    return new Set(this.stores.flatMap(({ kept = [] }) => kept));
  }

  /** As {@link WorkspaceStore.isBusy}, of any owner. */
  async isBusy(workspaceId: string): Promise<boolean> {
    for (const { isBusy } of this.stores) if (await isBusy?.(workspaceId)) return true;
    return false;
  }

  /** As {@link WorkspaceStore.stop}, of every owner. */
  async stop(workspaceId: string, tx: EntityManager): Promise<void> {
    for (const { stop } of this.stores) await stop?.(workspaceId, tx);
  }

  /** As {@link WorkspaceStore.empty}, of every owner. */
  async empty(workspaceId: string): Promise<void> {
    for (const { empty } of this.stores) await empty?.(workspaceId);
  }
}
