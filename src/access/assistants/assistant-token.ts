import { createHash, randomBytes } from 'node:crypto';

const PREFIXES = { code: 'rpc_', access: 'rpa_', refresh: 'rpr_' } as const;
export type TokenKind = keyof typeof PREFIXES;

const PART_BYTES = 32;
const PARTS = /^([\w-]{43})\.[\w-]{43}$/;

/** A new random part of tokens. All tokens of a grant begin with the same one, so that a token used before is known. */
export const newPart = (): string => randomBytes(PART_BYTES).toString('base64url');

/** A new token of a grant. */
export const newToken = (kind: TokenKind, family: string): string =>
  `${PREFIXES[kind]}${family}.${newPart()}`;

/** The part of a token that it shares with all tokens of its grant; null for anything but a token of this kind. */
export function familyOf(kind: TokenKind, text: string): string | null {
  if (!text.startsWith(PREFIXES[kind])) return null;
  return PARTS.exec(text.slice(PREFIXES[kind].length))?.[1] ?? null;
}

/** SHA-256 of a token or client id in hexadecimal digits, the only form in which it is stored. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The hash by which the grant of a family is found. Differs from the hashes of sessions and of sign-in links. */
export const hashOfFamily = (family: string): Buffer =>
  createHash('sha256').update(`assistant ${family}`).digest();
