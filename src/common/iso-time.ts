/** A date, a time of the day with a fraction of its seconds, a zone, and what calendars add (RFC 9557), basic or extended. */
const FORM =
  /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,30}))?)?)? ?(Z|UTC|GMT|[+\u2212-]\d\d(?::?\d\d)?)?(?:\[[^[\]]{1,99}\]){0,9}$/i;
/** The zone at the end of another time. */
const ZONE = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i;

/** Epoch milliseconds of an ISO 8601 time, in UTC where it names no zone; NaN for another text. */
export function isoTime(text: string): number {
  const trimmed = text.trim();
  const parts = FORM.exec(trimmed);
  if (parts === null) return Date.parse(ZONE.test(trimmed) ? trimmed : `${trimmed}Z`);
  const [, year, month, day, hour, minute = '00', second = '00', fraction = '0', zone = 'Z'] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}${offsetOf(zone)}`);
}

/** A zone as `Date` reads it: `Z` or `+02:00`. */
function offsetOf(zone: string): string {
  const [, sign, hours, minutes = '00'] = /^([+\u2212-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return sign === undefined ? 'Z' : `${sign === '+' ? '+' : '-'}${hours}:${minutes}`;
}
