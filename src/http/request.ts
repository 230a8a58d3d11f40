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

/** A request with its id and, once the API key guard has accepted it, its caller. */
export interface AuthenticatedRequest extends Request {
  id: string;
  caller: Caller;
}
