/** Longest delay in milliseconds; a longer one is shortened to it. No receiver of this value waits as long. */
const MAX_DELAY_MS = 1_000_000_000_000;

/**
 * The delay of a `Retry-After` header (RFC 9110, 10.2.3) in milliseconds, from 0 to about 30 years; null when it is
 * absent or neither a number of seconds nor a date. Dates may have any of the three forms of HTTP.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(MAX_DELAY_MS, Math.ceil(Number(text) * 1_000));
  // Date.parse would otherwise read "-5" or "12x" as a year.
  if (!/^[a-z]{3}/i.test(text)) return null;
  // The oldest form (asctime) names no zone and is in UTC like the others.
  const date = Date.parse(/\d{4}$/.test(text) ? `${text} GMT` : text);
  return Number.isNaN(date) ? null : Math.min(MAX_DELAY_MS, Math.max(0, date - now.getTime()));
}
