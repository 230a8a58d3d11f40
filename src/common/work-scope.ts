import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';

/** The request or other piece of work that the current code belongs to. */
interface WorkScope {
  workspaceId?: string;
  /** The response to the request whose work this is. */
  readonly response?: ServerResponse;
}

/**
 * The only store of the service, for both values: on Node.js below 24 each store is copied to every promise, which is 6 %
 * of the processor time of a small request (docs/benchmarks.md, `requests`).
 */
const scopes = new AsyncLocalStorage<WorkScope | undefined>();

/** Calls `next` in a new scope, which has no workspace until {@link enterWorkspace} is called within it. */
export function openWorkScope(next: () => void, response?: ServerResponse): void {
  scopes.run({ response }, next);
}

/** Sets the workspace of the current scope, also for work already started in it. Does nothing outside a scope. */
export function enterWorkspace(workspaceId: string): void {
  const scope = scopes.getStore();
  if (scope !== undefined) scope.workspaceId = workspaceId;
}

/** The workspace, a bare uuid, of the current scope; undefined for work of the service itself. */
export const presentWorkspace = (): string | undefined => scopes.getStore()?.workspaceId;

/** The response to the request being handled; undefined outside requests. */
export const presentResponse = (): ServerResponse | undefined => scopes.getStore()?.response;

/** Runs work in a scope of this workspace. */
export function withinWorkspace<T>(workspaceId: string, work: () => T): T {
  return scopes.run({ response: presentResponse(), workspaceId }, work);
}

/**
 * Runs work outside the current request and workspace: work that workspaces share, or that outlives the request that
 * started it. An open transaction keeps its workspace.
 */
export function acrossWorkspaces<T>(work: () => T): T {
  return scopes.run(undefined, work);
}
