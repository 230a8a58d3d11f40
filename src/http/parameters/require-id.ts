import { ID_PREFIXES, type IdKind, parseId } from '../../common/ids.js';
import { Problem } from '../problems/problem.js';

/** The bare uuid of a uuid or of an id that responses show. Throws 400 with the form of such ids for anything else. */
export function requireId(kind: IdKind, text: string, field: string): string {
  const id = parseId(kind, text);
  if (id !== null) return id;
  const message = `${field} must be an id that begins with ${ID_PREFIXES[kind]}_, or its uuid`;
  throw Problem.validation([{ field, message }]);
}
