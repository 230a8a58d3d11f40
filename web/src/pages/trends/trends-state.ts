import { KINDS } from '../../api/kinds.ts';
import { oneOf } from '../../choices.ts';
import { dayOf } from '../../format.ts';

export const MOST_QUERIES = 5;
export const PERIODS = KINDS.lists.trendPeriods;
export type Period = (typeof PERIODS)[number];
export const MEASURES = KINDS.lists.trendMeasures;
export type Measure = (typeof MEASURES)[number];
/** Values by which a single query can be split; `of` into posts and comments. Comments have no post type. */
export const SPLITS = KINDS.lists.trendSplits;
export type Split = (typeof SPLITS)[number];
export type Interval = (typeof KINDS.lists.intervals)[number];

/** The state of the trends page, as stored in its address. */
export interface TrendsState {
  of?: 'comments';
  q1?: string;
  q2?: string;
  q3?: string;
  q4?: string;
  q5?: string;
  /** Number of days up to today; when absent, 30 or as many as reach back to the newest data. */
  period?: Period;
  /** Interval of the chart; derived from the period when absent. */
  interval?: Interval;
  measure?: 'share' | 'sentiment';
  /** Only for a single query. */
  split?: Split;
}

const NAMES = ['q1', 'q2', 'q3', 'q4', 'q5'] as const;

/** Reads the valid parts of an address and ignores the rest. */
export function readTrendsState(given: Record<string, unknown>): TrendsState {
  const state: TrendsState = stateOf(
    NAMES.map((name) => given[name]).filter((q): q is string => typeof q === 'string'),
  );
  const period = oneOf(PERIODS, given.period);
  if (period !== undefined) state.period = period;
  if (given.of === 'comments') state.of = 'comments';
  const interval = oneOf(KINDS.lists.intervals, given.interval);
  if (interval !== undefined) state.interval = interval;
  const split = oneOf(splitsOf(state), given.split);
  if (split !== undefined) state.split = split;
  const measure = oneOf(measuresOf(state), given.measure);
  if (measure !== undefined && measure !== 'count') state.measure = measure;
  return state;
}

/** What can be measured of a state: shares of several lines, and no sentiment of the values of a split. */
export const measuresOf = (state: TrendsState): readonly Measure[] =>
  MEASURES.filter((measure) =>
    measure === 'share'
      ? state.split !== undefined || queriesOf(state).length > 1
      : measure === 'count' || state.split === undefined || state.split === 'of',
  );

/** The values by which the queries of a state can be split. */
export const splitsOf = (state: TrendsState): readonly Split[] =>
  queriesOf(state).length > 1
    ? []
    : SPLITS.filter((split) => (split !== 'post_type' && split !== 'of') || state.of === undefined);

/** What is asked for: a query of posts or of comments. */
export interface Asked {
  q: string;
  of: 'posts' | 'comments';
}

/** What a state asks for, in the order of its lines; an empty query finds everything. */
export function askedOf(state: TrendsState): Asked[] {
  const queries = queriesOf(state);
  const shown = queries.length === 0 ? [''] : queries;
  return state.split === 'of'
    ? KINDS.lists.subjects.map((of) => ({ q: shown[0]!, of }))
    : shown.map((q) => ({ q, of: state.of ?? 'posts' }));
}

/** The queries of a state, in order. */
export const queriesOf = (state: TrendsState): string[] =>
  NAMES.map((name) => state[name]).filter((q) => q !== undefined);

/** The state with these queries, without empty and repeated ones. */
export function stateOf(queries: readonly string[]): TrendsState {
  const kept = [...new Set(queries.map((q) => q.trim()))].filter((q) => q !== '').slice(0, MOST_QUERIES);
  return Object.fromEntries(kept.map((q, index) => [NAMES[index]!, q]));
}

const BY_PERIOD = { '1': 'hour', '7': 'hour', '30': 'day', '90': 'day', '365': 'week', all: null } as const;
const DAY_MS = 86_400_000;

/**
 * The days of a period in the format of a search. Days are whole, so a search may find more than the period at its
 * start.
 */
export function daysOf({
  created_after,
  created_before,
}: {
  created_after?: string;
  created_before?: string;
}): {
  from?: string;
  to?: string;
} {
  return {
    ...(created_after !== undefined && { from: dayOf(new Date(created_after)) }),
    ...(created_before !== undefined && { to: dayOf(new Date(Date.parse(created_before) - 1)) }),
  };
}

/**
 * The filters of a period that ends with the current hour, and the interval of its chart; null where the data
 * determines it.
 */
export function periodOf(
  period: Period,
  now: number,
): {
  interval: (typeof BY_PERIOD)[Period];
  filters: { created_after?: string; created_before?: string };
} {
  const interval = BY_PERIOD[period];
  if (period === 'all') return { interval, filters: {} };
  const hour = 3_600_000;
  const end = Math.ceil(now / hour) * hour;
  return {
    interval,
    filters: {
      created_after: new Date(end - Number(period) * DAY_MS).toISOString(),
      created_before: new Date(end).toISOString(),
    },
  };
}
