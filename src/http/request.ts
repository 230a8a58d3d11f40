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

/** The address that the request came from: the proxy's, if there is one. */
export function addressOf(request: Request): string {
  return request.socket.remoteAddress ?? 'unknown';
}
