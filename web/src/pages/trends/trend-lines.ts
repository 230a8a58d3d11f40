import { KINDS } from '../../api/kinds.ts';
import { inOrder } from '../../choices.ts';
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../components/chart.tsx';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { filterValue } from '../search/filter-names.ts';
import type { SearchState } from '../search/search-state.ts';
import { type Asked, askedOf, type Split, type TrendsState } from './trends-state.ts';

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
  { q, of }: Asked,
  { split }: TrendsState,
  { buckets }: Series,
  before: Line['buckets'] | undefined,
): Line => ({
  name: split === 'of' ? searchTexts.of[of] : q === '' ? trendsTexts.everything : q,
  search: { ...(of === 'comments' && { of }), ...(q !== '' && { q }) },
  buckets,
  ...(before && { before }),
});

/** Name under which the API counts all values of a split beyond the most frequent ones. */
const OTHER_VALUES = '(other)';

function splitLine(value: string, { split, of, q1 }: TrendsState, { buckets }: Series): Line {
  const isOther = value === OTHER_VALUES;
  return {
    name: isOther ? trendsTexts.otherValues : filterValue(split!, value),
    search: { ...(of && { of }), ...(q1 !== undefined && { q: q1 }), ...(!isOther && { [split!]: value }) },
    buckets: buckets.map(({ start, split: counts }) => ({
      start,
      count: counts?.[value] ?? 0,
      mean_sentiment: null,
    })),
    ...(split === 'sentiment' && { tone: value as Tone }),
  };
}

/** The values of a split, most frequent first; all that the API counts together come last. */
export function valuesOf({ buckets }: Pick<Series, 'buckets'>): string[] {
  const totals = new Map<string, number>();
  for (const { split } of buckets)
    for (const [value, count] of Object.entries(split ?? {}))
      totals.set(value, (totals.get(value) ?? 0) + count);
  const rank = (value: string): number => (value === OTHER_VALUES ? -1 : totals.get(value)!);
  return [...totals.keys()].sort((one, other) => rank(other) - rank(one));
}

/** The sentiments as they are stacked, from the bottom. */
const SENTIMENTS = inOrder(KINDS.lists.sentiments, searchTexts.sentiments).toReversed();

/** What a split is by, in words. */
export const splitName = (split: Split): string =>
  split === 'of' ? trendsTexts.splitOf : searchTexts.facets[split];

/** The lines of the page, of which the chart draws the first: one for each query, or for each value of a split. */
export const linesOf = (
  state: TrendsState,
  series: readonly Series[],
  before: readonly (Line['buckets'] | undefined)[] = [],
): Line[] =>
  state.split === undefined || state.split === 'of'
    ? askedOf(state).map((asked, index) => queryLine(asked, state, series[index]!, before[index]))
    : (state.split === 'sentiment' ? SENTIMENTS : valuesOf(series[0]!)).map((value) =>
        splitLine(value, state, series[0]!),
      );
