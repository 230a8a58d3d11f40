import { createHash } from 'node:crypto';
import { Problem } from './problem.js';

const CHECK_BYTES = 9;

/**
 * Opaque cursors: a position, bound to the question it was an answer to. The check detects a cursor that was
 * altered or carried over to other filters; it is no secret, for a position gives access to nothing.
 */
export function encodeCursor(position: readonly unknown[], question: unknown): string {
  const body = Buffer.from(JSON.stringify(position));
  return Buffer.concat([check(body, question), body]).toString('base64url');
}

/** The position in a cursor. Throws 400 `invalid_cursor` unless it was made for this question. */
export function decodeCursor(cursor: string, question: unknown): unknown[] {
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(CHECK_BYTES);
  // Re-encoding refuses the many spellings that base64 decoders forgive.
  const intact =
    bytes.toString('base64url') === cursor && check(body, question).equals(bytes.subarray(0, CHECK_BYTES));
  const position: unknown = intact ? parse(body.toString()) : null;
  if (!Array.isArray(position)) throw invalidCursor();
  return position;
}

export function invalidCursor(): Problem {
  return new Problem(
    'invalid_cursor',
    'The cursor is damaged or belongs to other filters; start again without one',
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function check(body: Buffer, question: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(question)).update(body).digest().subarray(0, CHECK_BYTES);
}
