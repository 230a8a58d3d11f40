import { normalEmail } from '../../common/email-address.js';

/** Claims about an account, of its ID token or of the userinfo of the identity provider. */
export type Claims = Readonly<Record<string, unknown>>;

/** Whether claims leave open which address an account has, or whether it is verified. */
export const areIncomplete = ({ email, email_verified: isVerified }: Claims): boolean =>
  !isStated(email) || !isStated(isVerified);

/**
 * The address, in normal form, that all these claims together call verified; null if none of them has the address or
 * calls it verified, if one calls it unverified, or if two have different addresses. Some providers state `email_verified`
 * as the text `true` or `false`.
 */
export function verifiedEmail(...claims: readonly Claims[]): string | null {
  const emails = claims.map(({ email }) => email).filter(isStated);
  const verifications = claims.map((one) => one.email_verified).filter(isStated);
  const distinct = new Set(emails.map((email) => (typeof email === 'string' ? normalEmail(email) : null)));
  const isVerified =
    verifications.length > 0 && verifications.every((value) => value === true || value === 'true');
  return isVerified && distinct.size === 1 ? [...distinct][0]! : null;
}

/** Providers state nothing by leaving a claim out, or by null or an empty text, which they should not. */
const isStated = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
