import { isoTime } from '../../common/iso-time.js';

/** Longest delay in milliseconds that is taken from a response: a day. A longer one is shortened to it. */
export const MAX_STATED_DELAY_MS = 86_400_000;

/** Smaller numbers are seconds from now. */
const EARLIEST_MOMENT = 1e9;
/** Units of a Unix time in milliseconds, by its smallest value; from there on they have 10, 13 and 16 digits. */
const UNITS_MS: readonly [number, number][] = [
  [EARLIEST_MOMENT, 1_000],
  [1e12, 1],
  [1e15, 0.001],
];
const HTTP_DATE = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i;
const ISO_TIME = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d/i;

/**
 * The delay in milliseconds, from 0 to {@link MAX_STATED_DELAY_MS}, that a response states: as seconds, as a Unix time in
 * seconds (10 digits), milliseconds (13) or microseconds (16), as an ISO time, or as a date in any form of HTTP (RFC
 * 9110, 5.6.7). Moments that are over give 0. Null when it is absent, negative, of another magnitude or not understood.
 * `now` is in epoch milliseconds.
 */
export function statedDelay(stated: string | number | null | undefined, now: number): number | null {
  const text = String(stated ?? '').trim();
  const delay = /^\d+(?:\.\d+)?$/.test(text) ? delayOf(Number(text), now) : momentOf(text) - now;
  return Number.isFinite(delay) ? Math.min(MAX_STATED_DELAY_MS, Math.max(0, Math.ceil(delay))) : null;
}

function delayOf(number: number, now: number): number {
  if (number < EARLIEST_MOMENT) return number * 1_000;
  const unit = UNITS_MS.find(([smallest]) => number >= smallest && number < smallest * 10);
  return unit === undefined ? Number.NaN : number * unit[1] - now;
}

/** Epoch milliseconds; NaN for any other text. Times without a zone are in UTC. */
function momentOf(text: string): number {
  // The oldest form of HTTP dates (asctime) ends with the year.
  if (HTTP_DATE.test(text)) return Date.parse(/ \d{4}$/.test(text) ? `${text} GMT` : text);
  if (!ISO_TIME.test(text)) return Number.NaN;
  return isoTime(text);
}
