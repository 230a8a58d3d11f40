import type { Trend } from './trend.ts';
import type { Line } from './trend-lines.ts';

/** How many texts a line counts. */
export const totalOf = (buckets: Line['buckets']): number =>
  buckets.reduce((sum, { count }) => sum + count, 0);

/** The mean sentiment of all texts of a line; null when it has none. */
export function meanOf(buckets: Line['buckets']): number | null {
  const known = buckets.filter(({ mean_sentiment }) => mean_sentiment !== null);
  const count = totalOf(known);
  return count === 0 ? null : known.reduce((sum, one) => sum + one.count * one.mean_sentiment!, 0) / count;
}

/** A text that a spreadsheet would execute; some skip blanks and invisible characters before it. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Default_Ignorable_Code_Point}\p{C}]*[=+\-@＝＋－＠])/u;

/** What the chart shows as CSV, one row a bucket. */
export function csvOf({ borders, lines }: Pick<Trend, 'borders' | 'lines'>, start: string): string {
  const cell = (value: string | number | null): string => {
    const text = String(value ?? '');
    const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [
    [start, ...lines.map(({ name }) => name)],
    ...borders
      .slice(0, -1)
      .map((time, at) => [new Date(time).toISOString(), ...lines.map(({ values }) => values[at] ?? null)]),
  ]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');
}

const PERIODS = [30, 90, 365] as const;
const DAY_MS = 86_400_000;

/** The shortest usual period, in days, that reaches back to the newest data; `all` where none does. */
export function periodWithData(
  buckets: readonly { start: string; count: number }[],
  now: number,
): `${(typeof PERIODS)[number]}` | 'all' {
  const newest = buckets.findLast(({ count }) => count > 0);
  if (newest === undefined) return '30';
  const age = (now - Date.parse(newest.start)) / DAY_MS;
  const period = PERIODS.find((days) => age < days);
  return period === undefined ? 'all' : (`${period}` as const);
}
