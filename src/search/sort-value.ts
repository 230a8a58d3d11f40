import { OFFSET_HOURS } from '../http/parameters/query-transforms.js';
import { isRankedPosition } from './relevance/ranking.js';

/**
 * Types of the sort values of lists: those of Postgres, and the score of a row together with its ranking. For `none`
 * the value is empty, since the id alone gives the position of a row.
 */
export type SortType = 'timestamptz' | 'integer' | 'float8' | 'relevance' | 'none';

const INTEGER = /^-?\d{1,10}$/;
const FRACTION = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/;
const TIME = new RegExp(
  String.raw`^(\d{4,6}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,6})?)(${OFFSET_HOURS}(?::[0-5]\d){0,2})$`,
);
const MAX_INTEGER = 2_147_483_647;

/** Whether Postgres could have written the text as a value of this type; a client can forge a cursor. */
export function isSortValue(type: SortType, text: string): boolean {
  switch (type) {
    case 'timestamptz':
      return isTime(text);
    case 'integer':
      return INTEGER.test(text) && Math.abs(Number(text)) <= MAX_INTEGER;
    case 'float8':
      // Postgres refuses a float8 that underflows, as it does one that overflows.
      return FRACTION.test(text) && Number.isFinite(Number(text)) && !isUnderflow(text);
    case 'none':
      return text === '';
    case 'relevance':
      return isRankedPosition(text) && !isUnderflow(text.split(',', 1)[0]!);
  }
}

/**
 * A sort value as segments store it: times as microseconds since 1970. Null for a time that a double cannot represent
 * exactly, and for types that segments do not store.
 */
export function numberOf(type: SortType, text: string): number | null {
  if (type === 'integer' || type === 'float8') return Number(text);
  const [, date, time, zone] = (type === 'timestamptz' && TIME.exec(text)) || [];
  if (date === undefined) return null;
  const [seconds, fraction = ''] = time!.split('.');
  const milliseconds = Date.parse(`${date}T${seconds}${zone!.padEnd(6, ':00')}`);
  const microseconds = milliseconds * 1_000 + Number(fraction.padEnd(6, '0'));
  return Number.isSafeInteger(microseconds) ? microseconds : null;
}

function isTime(text: string): boolean {
  const [, date, time] = TIME.exec(text) ?? [];
  if (date === undefined || date.startsWith('0000')) return false;
  const year = date.split('-')[0]!;
  const iso = `${year.length > 4 ? `+${year.padStart(6, '0')}` : year}${date.slice(year.length)}T${time!}Z`;
  const parsed = new Date(iso);
  // JavaScript reads a day that its month does not have as a day of the next month.
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().includes(`${date.slice(year.length)}T`);
}

const isUnderflow = (text: string): boolean => Number(text) === 0 && /[1-9]/.test(text.split('e')[0]!);
