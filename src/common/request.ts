import type { Request } from 'express';
import type { Scope } from '../modules/api-keys/scope.js';

/** What the guard learned about the caller. */
export interface Caller {
  workspaceId: string;
  keyId: string;
  scopes: Scope[];
}

/** The request after the guard has passed it. */
export interface AuthenticatedRequest extends Request {
  id: string;
  caller: Caller;
}
