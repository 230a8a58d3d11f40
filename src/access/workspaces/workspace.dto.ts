import type { Scope } from '../../http/request/scope.js';

/** The workspace of an API key, and the key's permissions. */
export class CallerWorkspaceDto {
  workspace_id: string;
  name: string;
  status: 'active' | 'suspended';
  /** Scopes of the API key of the request. */
  scopes: Scope[];
  /** The first characters of the API key of the request. */
  key_prefix: string;
}
