import type { Request } from 'express';

/** The API key of a request and its workspace, as bare uuids. */
export interface Caller {
  workspaceId: string;
  keyId: string;
  /** Whether the key has the scope `write`. */
  mayWrite: boolean;
}

/** A request with its id and, once the API key guard has accepted it, its caller. */
export interface AuthenticatedRequest extends Request {
  id: string;
  caller: Caller;
}
