import { KINDS } from '../../api/kinds.ts';
import { inOrder } from '../../choices.ts';
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../components/chart.tsx';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import type { SearchState } from '../search/search-state.ts';
import { MOST_QUERIES, type Split, type TrendsState } from './trends-state.ts';

type Series = Schemas['TimeSeriesDto'];

/** A line of the chart and the data it shows. */
export interface Line {
  name: string;
  /** The search for the posts that the line counts. */
  search: SearchState;
  buckets: Pick<Series['buckets'][number], 'start' | 'count' | 'mean_sentiment'>[];
  /** The same at the same times of the period before; only of a query and of a limited period. */
  before?: Line['buckets'];
  /** A colour with a meaning, for a line of one sentiment. */
  tone?: Tone;
}

const queryLine = (
  q: string,
  of: TrendsState['of'],
  { buckets }: Series,
  before: Line['buckets'] | undefined,
): Line => ({
  name: q === '' ? trendsTexts.everything : q,
  search: { ...(of && { of }), ...(q !== '' && { q }) },
  buckets,
  ...(before && { before }),
});

const VALUE_NAMES: Partial<Record<Split, Record<string, string>>> = {
  sentiment: searchTexts.sentiments,
  post_type: searchTexts.postTypes,
};

const splitLine = (value: string, { split, of, q1 }: TrendsState, { buckets }: Series): Line => ({
  name: VALUE_NAMES[split!]?.[value] ?? value,
  search: { ...(of && { of }), ...(q1 !== undefined && { q: q1 }), [split!]: value },
  buckets: buckets.map(({ start, split: counts }) => ({
    start,
    count: counts?.[value] ?? 0,
    mean_sentiment: null,
  })),
  ...(split === 'sentiment' && { tone: value as Tone }),
});

/** Name under which the API counts all values of a split beyond the most frequent ones. */
const OTHER_VALUES = '(other)';

/** The values of a split, most frequent first. */
export function valuesOf({ buckets }: Series): string[] {
  const totals = new Map<string, number>();
  for (const { split } of buckets)
    for (const [value, count] of Object.entries(split ?? {}))
      totals.set(value, (totals.get(value) ?? 0) + count);
  totals.delete(OTHER_VALUES);
  return [...totals].sort(([, one], [, other]) => other - one).map(([value]) => value);
}

/** The sentiments as they are stacked, from the bottom. */
const SENTIMENTS = inOrder(KINDS.lists.sentiments, searchTexts.sentiments).toReversed();

/** The lines of the chart: one for each query, or for each of the most frequent values of a split. */
export const linesOf = (
  state: TrendsState,
  queries: readonly string[],
  series: readonly Series[],
  before: readonly (Line['buckets'] | undefined)[] = [],
): Line[] =>
  state.split === undefined
    ? queries.map((q, index) => queryLine(q, state.of, series[index]!, before[index]))
    : (state.split === 'sentiment' ? SENTIMENTS : valuesOf(series[0]!))
        .slice(0, MOST_QUERIES)
        .map((value) => splitLine(value, state, series[0]!));
