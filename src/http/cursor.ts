import { createHash } from 'node:crypto';
import { Problem } from './problem.js';

const CHECKSUM_BYTES = 9;

/**
 * An opaque cursor: a position with a checksum over it and the query it belongs to. The checksum detects altered cursors
 * and cursors of other filters; it is not a secret, since a position gives access to nothing.
 */
export function encodeCursor(position: readonly unknown[], query: unknown): string {
  const body = Buffer.from(JSON.stringify(position));
  return Buffer.concat([checksum(body, query), body]).toString('base64url');
}

/** The position in a cursor. Throws 400 `invalid_cursor` unless it was made for this query. */
export function decodeCursor(cursor: string, query: unknown): unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(CHECKSUM_BYTES);
  // Re-encoding refuses the alternative spellings that base64 decoders accept.
  const intact =
    bytes.toString('base64url') === cursor && checksum(body, query).equals(bytes.subarray(0, CHECKSUM_BYTES));
  const position: unknown = intact ? parse(body.toString()) : null;
  if (!Array.isArray(position)) throw invalidCursor();
  return position;
}

/** 400 `invalid_cursor`. */
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
