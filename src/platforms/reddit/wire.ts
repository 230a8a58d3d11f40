import { asObject, type WireObject } from '../http/response-parsing.js';
import { isCommentId } from './reddit-ids.js';

/** A wrapped object of the platform: `t3` a post, `t1` a comment, `more` a stub that lists comment ids. */
export interface WireThing {
  kind: string;
  data: WireObject;
}

const ID36 = /^[0-9a-z]{1,16}$/i;

/** The value as a `{ kind, data }` wrapper; null for anything else. */
export function asThing(value: unknown): WireThing | null {
  const thing = asObject(value);
  const data = asObject(thing?.data);
  return thing && data && typeof thing.kind === 'string' ? { kind: thing.kind, data } : null;
}

/**
 * `abc` or `t3_abc` as `t3_abc`, with its case unchanged. Null when it is not an id of that kind, or when a comment's
 * number is out of range.
 */
export function asFullName(kind: 't1' | 't3', value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const bare = value.startsWith(`${kind}_`) ? value.slice(3) : value;
  if (!ID36.test(bare) || (kind === 't1' && !isCommentId(`t1_${bare}`))) return null;
  return `${kind}_${bare}`;
}

/** The id without its kind: `abc` of `t3_abc`. */
export function bareId(fullName: string): string {
  return fullName.replace(/^t\d_/, '');
}
