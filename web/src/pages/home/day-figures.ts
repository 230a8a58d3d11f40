/** A bucket of a time series. */
interface Bucket {
  start: string;
  count: number;
  mean_sentiment: number | null;
}

/** Hours that are compared with as many hours before. */
export const HOURS = 24;
const HOUR_MS = 3_600_000;

/** The first hour of the compared period and of the one before, as times of the API. */
export function periodsAt(now: Date): { since: string; before: string } {
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return {
    since: new Date(hour - (HOURS - 1) * HOUR_MS).toISOString(),
    before: new Date(hour - (2 * HOURS - 1) * HOUR_MS).toISOString(),
  };
}

/** What a day had, hour by hour, and the day before. */
export interface DayFigures {
  count: number;
  previousCount: number;
  /** Count of each hour of the day, oldest first. */
  hours: number[];
  /** Sums of sentiment, so that several kinds can be averaged; null counts no text. */
  sentiment: number;
  previousSentiment: number;
}

/** Sums up hourly buckets from the period before on; missing hours count as empty. */
export function dayFigures(buckets: readonly Bucket[], since: string): DayFigures {
  const start = Date.parse(since);
  const figures: DayFigures = {
    count: 0,
    previousCount: 0,
    hours: Array.from({ length: HOURS }, () => 0),
    sentiment: 0,
    previousSentiment: 0,
  };
  for (const { start: at, count, mean_sentiment } of buckets) {
    const hour = Math.floor((Date.parse(at) - start) / HOUR_MS);
    const sum = (mean_sentiment ?? 0) * count;
    if (hour < 0) {
      figures.previousCount += count;
      figures.previousSentiment += sum;
    } else {
      figures.count += count;
      figures.sentiment += sum;
      if (hour < HOURS) figures.hours[hour]! += count;
    }
  }
  return figures;
}

/** Mean sentiment of several kinds of texts, now and before; null without texts. */
export function meanSentiment(figures: readonly DayFigures[]): [now: number | null, before: number | null] {
  const sum = (read: (one: DayFigures) => number): number =>
    figures.reduce((total, one) => total + read(one), 0);
  const mean = (total: number, count: number): number | null => (count === 0 ? null : total / count);
  return [
    mean(
      sum((one) => one.sentiment),
      sum((one) => one.count),
    ),
    mean(
      sum((one) => one.previousSentiment),
      sum((one) => one.previousCount),
    ),
  ];
}
