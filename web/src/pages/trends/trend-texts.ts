import { formatNumber, formatPercent, formatSigned } from '../../format.ts';
import { spikesTexts } from '../../texts/spikes.ts';
import { trendsTexts } from '../../texts/trends.ts';
import type { DrawnLine, Trend } from './trend.ts';
import type { Measure } from './trends-state.ts';

const words = trendsTexts;

/** A bucket of a chart in words, and why it is not whole. */
export function bucketText(
  { borders, interval, gaps }: Omit<Trend, 'lines' | 'measure'>,
  at: number,
): string {
  const text = spikesTexts.at(new Date(borders[at]!).toISOString(), interval);
  const gap = gaps[at] ?? null;
  return gap === null ? text : `${text}, ${words.gaps[gap]}`;
}

/** A value in words. */
export const FORMATS: Record<Measure, (value: number) => string> = {
  count: formatNumber,
  share: formatPercent,
  sentiment: formatSigned,
};

/** The value of a line in a bucket in words, with its interval or what was in the period before. */
export function valueText(measure: Measure, { values, low, high, before }: DrawnLine, at: number): string {
  const text = (value: number | null | undefined): string => (value == null ? '–' : FORMATS[measure](value));
  const value = text(values[at]);
  if (low?.[at] != null) return `${value} (${words.between(text(low[at]), text(high?.[at]))})`;
  return before === undefined ? value : `${value} (${words.before(text(before[at]))})`;
}
