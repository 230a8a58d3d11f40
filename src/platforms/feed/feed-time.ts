import { isoTime } from '../../common/iso-time.js';

/** A day of the week before a date, which may be the wrong one or in another language. */
const WEEKDAY = /^[\p{L}.]{2,12}\s*,?\s+(?=\d)/u;
/** Abbreviated zones that `Date` does not know, with their hours. */
const ZONES: Readonly<Record<string, string>> = {
  BST: '+0100',
  CET: '+0100',
  CEST: '+0200',
  EET: '+0200',
  EEST: '+0300',
  MSK: '+0300',
  IST: '+0530',
  JST: '+0900',
  KST: '+0900',
  AEST: '+1000',
  AEDT: '+1100',
  NZST: '+1200',
  NZDT: '+1300',
  UT: 'GMT',
  Z: 'GMT',
};
/** The first letters of the months in English, German, French, Spanish, Italian, Portuguese and Dutch, in their order. */
const MONTHS = [
  /^(?:jan|ene|gen)/,
  /^(?:feb|fev|fév)/,
  /^(?:mar|mär|mrt)/,
  /^(?:apr|abr|avr)/,
  /^(?:may|mai|mag|mei)/,
  /^(?:jun|giu|juin)/,
  /^(?:jul|lug|juil)/,
  /^(?:aug|ago|aoû|aou)/,
  /^(?:sep|set)/,
  /^(?:oct|okt|out|ott)/,
  /^nov/,
  /^(?:dec|dez|dic|déc)/,
];
const RFC_822 =
  /^(\d{1,2})[\s-]+(\p{L}{3,10})\.?[\s-]+(\d{2,4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(.*)$/u;

/**
 * Epoch milliseconds of a date of a feed: RFC 822 as it is written in the world, or ISO 8601, in UTC where it names no
 * zone; null for any other text.
 */
export function feedTime(text: string | null | undefined): number | null {
  const written = text?.trim().slice(0, 100) ?? '';
  if (written === '') return null;
  const time = /^\d{4}/.test(written) ? ofIso(written) : ofRfc822(written.replace(WEEKDAY, ''));
  const found = Number.isNaN(time) ? Date.parse(`${written} GMT`) : time;
  return Number.isNaN(found) ? null : found;
}

/** A year, a month or a day alone begin at midnight; a blank may stand for `T`. */
function ofIso(text: string): number {
  const whole = text.replace(/^(\d{4}-\d{1,2}-\d{1,2})\s+(?=\d)/, '$1T').replace(/\s(?=[+-]|Z$)/i, '');
  const day = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?$/.exec(whole);
  if (day === null) return isoTime(whole);
  const [, year, month = '1', date = '1'] = day;
  return Date.UTC(Number(year), Number(month) - 1, Number(date));
}

function ofRfc822(text: string): number {
  const [, day, name = '', year, hour = '0', minute = '0', second = '0', zone = ''] =
    RFC_822.exec(text) ?? [];
  const month = MONTHS.findIndex((form) => form.test(name.toLowerCase()));
  if (day === undefined || month < 0) return NaN;
  const full = year!.length > 2 ? Number(year) : Number(year) + (Number(year) < 70 ? 2_000 : 1_900);
  const local = Date.UTC(
    full,
    month,
    Number(day),
    Number(hour),
    Number(minute),
    Math.min(59, Number(second)),
  );
  return local - offsetOf(zone.replace(/\([^()]*\)/, '').trim());
}

/** Milliseconds by which a zone is ahead of UTC; 0 for one that is unknown. */
function offsetOf(zone: string): number {
  const known = ZONES[zone.toUpperCase()] ?? zone;
  const [, sign, hours, minutes = '0'] = /^(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d{2})?$/i.exec(known) ?? [];
  if (hours !== undefined) return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const then = known === '' ? NaN : Date.parse(`1 Jan 2000 00:00:00 ${known}`);
  return Number.isNaN(then) ? 0 : Date.UTC(2_000, 0) - then;
}
