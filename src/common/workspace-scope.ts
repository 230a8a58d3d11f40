import { AsyncLocalStorage } from 'node:async_hooks';

interface WorkspaceScope {
  workspaceId?: string;
}

const scopes = new AsyncLocalStorage<WorkspaceScope | undefined>();

/** Calls `next` in a scope of its own, without a workspace until {@link enterWorkspace} is called within it. */
export function openWorkspaceScope(next: () => void): void {
  scopes.run({}, next);
}

/** Sets the workspace of the present scope, also for work that already began in it. Does nothing outside of a scope. */
export function enterWorkspace(workspaceId: string): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.workspaceId = workspaceId;
}

/** The workspace, a bare uuid, for which the present scope works; undefined for work of the service itself. */
export const presentWorkspace = (): string | undefined => scopes.getStore()?.workspaceId;

/**
 * Runs work outside of the present workspace: work that workspaces share, or that outlives the request that began it. An
 * open transaction keeps its workspace.
 */
export function acrossWorkspaces<T>(work: () => T): T {
  return scopes.run(undefined, work);
}
