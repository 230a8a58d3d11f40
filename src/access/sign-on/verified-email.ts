import { normalEmail } from '../../common/email-address.js';

/** Claims about an account, of its ID token or of the userinfo of the identity provider. */
export type Claims = Readonly<Record<string, unknown>>;

/** The claims that a sign-in needs, each with the meaning of a statement; null for one that refuses. */
export const NEEDED_CLAIMS = {
  email: (stated: unknown) => (typeof stated === 'string' ? normalEmail(stated) : null),
  // Some providers state it as text.
  email_verified: (stated: unknown) => (stated === true || stated === 'true' ? true : null),
} satisfies Record<string, (stated: unknown) => unknown>;
export type ClaimName = keyof typeof NEEDED_CLAIMS;
const NAMES = Object.keys(NEEDED_CLAIMS) as ClaimName[];

/** Whether claims leave open which address an account has, or whether it is verified. */
export const areIncomplete = (claims: Claims): boolean => NAMES.some((name) => !isStated(claims[name]));

/**
 * The address, in normal form, that all these claims together call verified; null if none of them has the address or
 * calls it verified, if one calls it unverified, or if two have different addresses.
 */
export function verifiedEmail(...claims: readonly Claims[]): string | null {
  const isVerified = NAMES.every((name) => agreed(name, claims) !== null);
  return isVerified ? (agreed('email', claims) as string) : null;
}

/** The meaning of a claim wherever it is stated; null if it is stated nowhere or with two meanings. */
function agreed(name: ClaimName, claims: readonly Claims[]): unknown {
  const stated = claims.map((one) => one[name]).filter(isStated);
  const meaningOf: (stated: unknown) => unknown = NEEDED_CLAIMS[name];
  const meanings = [...new Set(stated.map(meaningOf))];
  return meanings.length === 1 ? meanings[0] : null;
}

/** Providers state nothing by leaving a claim out, or by null or an empty text, which they should not. */
const isStated = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
