import type { Request } from 'express';
import type { Scope } from './scope.js';

/** The API key of a request and its workspace, as bare uuids. */
export interface Caller {
  workspaceId: string;
  keyId: string;
  /** The first characters of the key, as lists show them. */
  keyPrefix: string;
  scopes: readonly Scope[];
  /** Whether the key has the scope `write`. */
  mayWrite: boolean;
}

/** A request with its id and, once a guard has accepted it, its caller or that an operator sends it. */
export interface AuthenticatedRequest extends Request {
  id: string;
  caller: Caller;
  /** Whether the request has the admin token; it then has no caller. */
  isAdmin?: boolean;
  /** Whether the request signs a browser in; it then has no caller. */
  isSignIn?: boolean;
}

/** Whether a request's method, GET or HEAD, promises to change nothing. */
export function changesNothing(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** Whether a body of at least one byte follows the request's head. */
export function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The path of a request as it was sent, without its query. */
export function pathOf(request: Request): string {
  return request.originalUrl.split('?')[0]!;
}

/** The template of the route that a request matched, e.g. `/health/ready`; null when it matched none. */
export function routeOf(request: Request): string | null {
  const path = (request.route as { path?: unknown } | undefined)?.path;
  // Nest answers unknown paths by a route that matches all of them.
  return typeof path === 'string' && !path.startsWith('*') ? path : null;
}

/** The address that the request came from: the proxy's, if there is one. */
export function addressOf(request: Request): string {
  return request.socket.remoteAddress ?? 'unknown';
}
