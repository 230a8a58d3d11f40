import type { Line } from './trend-lines.ts';

type Bucket = Line['buckets'][number];

/** The period of the same length that ends where a period begins; null for all time. */
export function periodBefore({
  created_after,
  created_before,
}: {
  created_after?: string;
  created_before?: string;
}): { created_after: string; created_before: string } | null {
  if (created_after === undefined || created_before === undefined) return null;
  const start = 2 * Date.parse(created_after) - Date.parse(created_before);
  return { created_after: new Date(start).toISOString(), created_before: created_after };
}

/**
 * The buckets of an earlier period at the times of a later one, which begins `shiftMs` afterwards. Months and changes
 * of the clock make the buckets of both differ in length; each counts for the time in which it begins.
 */
export function shiftedTo(times: readonly string[], earlier: readonly Bucket[], shiftMs: number): Bucket[] {
  const starts = times.map((time) => Date.parse(time));
  const shifted = times.map((start): Bucket => ({ start, count: 0, mean_sentiment: null }));
  for (const { start, count, mean_sentiment } of earlier) {
    const at = Date.parse(start) + shiftMs;
    const bucket =
      shifted[
        Math.max(
          0,
          starts.findLastIndex((one) => one <= at),
        )
      ];
    if (bucket === undefined || count === 0) continue;
    const sum = (bucket.mean_sentiment ?? 0) * bucket.count + (mean_sentiment ?? 0) * count;
    bucket.count += count;
    if (mean_sentiment !== null) bucket.mean_sentiment = sum / bucket.count;
  }
  return shifted;
}
