import { AsyncLocalStorage } from 'node:async_hooks';

interface WorkspaceScope {
  workspaceId?: string;
}

const scopes = new AsyncLocalStorage<WorkspaceScope | undefined>();

/** Calls `next` in a scope of its own, without a workspace until {@link enterWorkspace} is called within it. */
export function openWorkspaceScope(next: () => void): void {
  scopes.run({}, next);
}

/** From now on everything in the present scope, also what was begun before, works for this workspace. Outside of a scope, nothing happens. */
export function enterWorkspace(workspaceId: string): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.workspaceId = workspaceId;
}

/** The workspace, a bare uuid, for which the present scope works; undefined for work of the service itself. */
export const presentWorkspace = (): string | undefined => scopes.getStore()?.workspaceId;

/**
 * Does work outside of the present workspace: what is shared by workspaces, or goes on after the request that began it.
 * A transaction that is open keeps its workspace.
 */
export function acrossWorkspaces<T>(work: () => T): T {
  return scopes.run(undefined, work);
}
