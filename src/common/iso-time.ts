/** The zone at the end of a time: `Z`, `+02:00`, `-0400`, `+00`, `UTC`. Hours alone follow a time of the day only. */
const ZONE = /(?:Z|UTC|GMT|[+-]\d\d:?\d\d|(?<=:\d\d(?:[.,]\d+)?)([+-]\d\d))$/i;

/** Epoch milliseconds of an ISO 8601 time, in UTC where it names no zone; NaN for another text. */
export function isoTime(text: string): number {
  const [zone, hours] = ZONE.exec(text) ?? [];
  return Date.parse(hours !== undefined ? `${text}:00` : zone === undefined ? `${text}Z` : text);
}
