import { Problem } from '../../http/problems/problem.js';
import type { Caller } from '../../http/request/request.js';

/** A person: a member of a workspace who has signed in. */
export interface Person {
  workspaceId: string;
  memberId: string;
  /** Address of the account. */
  email: string;
}

/** The person of a request. Throws 403 for an API key, which is no person. */
export function personOf({ workspaceId, keyId: memberId, email }: Caller): Person {
  if (email === null)
    throw new Problem(
      'insufficient_scope',
      'Notification settings belong to a person. Sign in with an account instead of an API key.',
    );
  return { workspaceId, memberId, email };
}
