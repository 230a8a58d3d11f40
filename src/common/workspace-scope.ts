import { AsyncLocalStorage } from 'node:async_hooks';

interface WorkspaceScope {
  workspaceId?: string;
}

const scopes = new AsyncLocalStorage<WorkspaceScope | undefined>();

/** Calls `next` in a new scope, which has no workspace until {@link enterWorkspace} is called within it. */
export function openWorkspaceScope(next: () => void): void {
  scopes.run({}, next);
}

/** Sets the workspace of the current scope, also for work already started in it. Does nothing outside a scope. */
export function enterWorkspace(workspaceId: string): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.workspaceId = workspaceId;
}

/** The workspace, a bare uuid, of the current scope; undefined for work of the service itself. */
export const presentWorkspace = (): string | undefined => scopes.getStore()?.workspaceId;

/** Runs work in a scope of this workspace. */
export function withinWorkspace<T>(workspaceId: string, work: () => T): T {
  return scopes.run({ workspaceId }, work);
}

/**
 * Runs work outside the current workspace: work that workspaces share, or that outlives the request that started it. An
 * open transaction keeps its workspace.
 */
export function acrossWorkspaces<T>(work: () => T): T {
  return scopes.run(undefined, work);
}
