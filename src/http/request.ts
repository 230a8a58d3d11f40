import type { Request } from 'express';

/** What the guard learned about the caller. */
export interface Caller {
  workspaceId: string;
  keyId: string;
}

/** The request after the guard has passed it. */
export interface AuthenticatedRequest extends Request {
  id: string;
  caller: Caller;
}
