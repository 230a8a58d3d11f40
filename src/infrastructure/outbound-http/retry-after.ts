/**
 * The delay of a `Retry-After` header (RFC 9110, 10.2.3) in milliseconds, at least 0; null when it is absent or neither a
 * number of seconds nor a date.
 */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  // Date.parse would otherwise read "-5" or "12x" as a year.
  const date = /[a-z]{3},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}
