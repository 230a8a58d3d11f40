import { createHash } from 'node:crypto';
import { Problem } from '../problems/problem.js';

const CHECKSUM_BYTES = 9;

/**
 * An opaque cursor: a position, with a checksum over the position and its query. The checksum detects altered cursors
 * and cursors from a query with other filters. It is not a secret, since a position grants access to nothing.
 */
export function encodeCursor(position: readonly unknown[], query: unknown): string {
  const body = Buffer.from(JSON.stringify(position));
  return Buffer.concat([checksum(body, query), body]).toString('base64url');
}

/** Returns the position in a cursor. Throws 400 `invalid_cursor` unless the cursor was created for this query. */
export function decodeCursor(cursor: string, query: unknown): unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(CHECKSUM_BYTES);
  // Re-encoding detects the alternative spellings that base64 decoders accept.
  const intact =
    bytes.toString('base64url') === cursor && checksum(body, query).equals(bytes.subarray(0, CHECKSUM_BYTES));
  const position: unknown = intact ? parse(body.toString()) : null;
  if (!Array.isArray(position)) throw invalidCursor();
  return position;
}

/** A 400 `invalid_cursor` problem. */
export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'The cursor is invalid or belongs to a request with other filters. Start again without a cursor.',
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function checksum(body: Buffer, query: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(query)).update(body).digest().subarray(0, CHECKSUM_BYTES);
}
