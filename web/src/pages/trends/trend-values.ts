import type { Line } from './trend-lines.ts';
import type { Measure } from './trends-state.ts';

/** The times of all lines, in order. */
export const timesOf = (lines: readonly Pick<Line, 'buckets'>[]): string[] =>
  [...new Set(lines.flatMap(({ buckets }) => buckets.map(({ start }) => start)))].sort();

/** The values of a line at these times: 0 for a count and null for a sentiment that it does not have. */
export function valuesAt(
  { buckets }: Pick<Line, 'buckets'>,
  times: readonly string[],
  measure: Measure,
): (number | null)[] {
  const byStart = new Map(buckets.map((bucket) => [bucket.start, bucket]));
  return times.map((time) => {
    const bucket = byStart.get(time);
    return measure === 'count' ? (bucket?.count ?? 0) : (bucket?.mean_sentiment ?? null);
  });
}

/** How many texts a line counts. */
export const totalOf = (buckets: Line['buckets']): number =>
  buckets.reduce((sum, { count }) => sum + count, 0);

/** The mean sentiment of all texts of a line; null when it has none. */
export function meanOf(buckets: Line['buckets']): number | null {
  const known = buckets.filter(({ mean_sentiment }) => mean_sentiment !== null);
  const count = totalOf(known);
  return count === 0 ? null : known.reduce((sum, one) => sum + one.count * one.mean_sentiment!, 0) / count;
}

/** The values of lines over time as CSV, one row a time. */
export function csvOf(
  lines: readonly Pick<Line, 'name' | 'buckets'>[],
  measure: Measure,
  start: string,
): string {
  const times = timesOf(lines);
  const columns = lines.map((line) => valuesAt(line, times, measure));
  const cell = (value: string | number | null): string => {
    const text = String(value ?? '');
    // A spreadsheet would execute a text that begins like a formula.
    const safe = typeof value === 'string' && /^[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [
    [start, ...lines.map(({ name }) => name)],
    ...times.map((time, row) => [time, ...columns.map((values) => values[row] ?? null)]),
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
