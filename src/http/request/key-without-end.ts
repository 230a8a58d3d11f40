import { Problem } from '../problems/problem.js';
import type { Caller } from './request.js';

/** Refuses a credential without an end to a caller whose key expires, since it would outlive the key. Throws 403. */
export function requireKeyWithoutEnd({ expiresAt }: Pick<Caller, 'expiresAt'>): void {
  if (expiresAt !== null)
    throw new Problem(
      'insufficient_scope',
      'This operation gives access that does not expire, and your API key does. Use a key without an end.',
    );
}
