import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Chart, drawLines, LineMark } from '../../components/chart.tsx';
import { Select } from '../../components/controls.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber, formatSigned, ownTimeZone } from '../../format.ts';
import { texts } from '../../texts.ts';
import type { SearchState } from '../search/search-state.ts';
import { timeSeriesQuery } from '../search/search-queries.ts';
import { Forums } from './forums.tsx';
import { Keywords } from './keywords.tsx';
import { Queries } from './queries.tsx';
import {
  daysOf,
  INTERVALS,
  MEASURES,
  type Measure,
  MOST_QUERIES,
  periodOf,
  PERIODS,
  queriesOf,
  readTrendsState,
  type Split,
  SPLITS,
  splitsOf,
  type TrendsState,
} from './trends-state.ts';

const words = texts.trends;
const route = getRouteApi('/trends');
const HEIGHT = 280;

type Series = Schemas['TimeSeriesDto'];

export function TrendsPage() {
  const state = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id } = useSession();
  const [now] = useState(Date.now);
  const change = (changes: Partial<TrendsState>): void =>
    void navigate({ search: readTrendsState({ ...state, ...changes }), resetScroll: false });
  const queries = queriesOf(state);
  const shown = queries.length === 0 ? [''] : queries;
  const { interval: usual, filters } = periodOf(state.period ?? '30', now);
  const fixed = state.interval ?? usual;
  const whole = useQuery({
    ...timeSeriesQuery(workspace_id, state.of === undefined ? {} : { of: state.of }),
    enabled: fixed === null,
  });
  const interval = fixed ?? whole.data?.interval;
  const series = useQueries({
    queries: shown.map((q) => ({
      queryKey: ['trend', workspace_id, state.of, q, state.split, interval, filters],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(
          api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
            params: {
              path: { workspace_id },
              query: {
                ...filters,
                ...(q !== '' && { q }),
                ...(state.split !== undefined && { split_by: state.split }),
                of: state.of ?? 'posts',
                interval: interval!,
                timezone: ownTimeZone,
              },
            },
            signal,
          }),
        ),
      enabled: interval !== undefined,
    })),
  });
  const error = (fixed === null ? whole.error : null) ?? series.find((one) => one.error)?.error;
  const data = series.map((one) => one.data);
  const isComplete = data.every((one) => one !== undefined);
  const values = state.split === undefined || !isComplete ? [] : valuesOf(data[0]!);
  const lines = !isComplete
    ? []
    : state.split === undefined
      ? shown.map((q, index) => queryLine(q, state.of, data[index]!))
      : values.slice(0, MOST_QUERIES).map((value) => splitLine(value, state, data[0]!));
  const isEmpty = isComplete && data.every((one) => one.buckets.every(({ count }) => count === 0));
  return (
    <Page title={words.title}>
      <Queries
        queries={queries}
        onChange={(names) =>
          void navigate({
            search: readTrendsState({
              ...names,
              of: state.of,
              period: state.period,
              measure: state.measure,
              split: state.split,
              interval: state.interval,
            }),
            resetScroll: false,
          })
        }
      />
      <div className="my-4 grid gap-2 sm:grid-cols-2 md:grid-cols-3 xl:grid-cols-5">
        <Select
          aria-label={texts.search.ofLabel}
          value={state.of ?? 'posts'}
          onChange={({ target }) => change({ of: target.value === 'comments' ? 'comments' : undefined })}
          options={[
            ['posts', texts.search.of.posts],
            ['comments', texts.search.of.comments],
          ]}
        />
        <Select
          aria-label={words.period}
          value={state.period ?? '30'}
          onChange={({ target }) => change({ period: PERIODS.find((one) => one === target.value) })}
          options={PERIODS.map((one) => [one, words.periods[one]] as const)}
        />
        <Select
          aria-label={words.interval}
          value={state.interval ?? ''}
          onChange={({ target }) => change({ interval: INTERVALS.find((one) => one === target.value) })}
          options={[
            ['', words.usualInterval],
            ...INTERVALS.map((one) => [one, words.byInterval(texts.search.intervals[one])] as const),
          ]}
        />
        <Select
          aria-label={words.split}
          value={state.split ?? ''}
          disabled={splitsOf(state).length === 0}
          onChange={({ target }) => change({ split: SPLITS.find((one) => one === target.value) })}
          options={[
            ['', words.noSplit],
            ...splitsOf(state).map((one) => [one, `${words.split}: ${texts.search.facets[one]}`] as const),
          ]}
        />
        <Select
          aria-label={words.measure}
          value={state.measure ?? 'count'}
          disabled={state.split !== undefined}
          onChange={({ target }) =>
            change({ measure: target.value === 'sentiment' ? 'sentiment' : undefined })
          }
          options={MEASURES.map((one) => [one, words.measures[one]] as const)}
        />
      </div>
      <Panel title={words.measures[state.measure ?? 'count']}>
        {error ? (
          <ErrorNote
            error={error}
            onRetry={() => [whole, ...series].forEach((one) => one.error && void one.refetch())}
          />
        ) : !isComplete ? (
          <Loading rows={4} />
        ) : isEmpty ? (
          <Empty title={words.empty} hint={words.emptyHint} />
        ) : (
          <>
            <TrendChart series={lines} measure={state.measure ?? 'count'} />
            <Totals
              title={state.split === undefined ? words.query : texts.search.facets[state.split]}
              lines={lines}
              days={daysOf(filters)}
            />
            {values.length > lines.length && (
              <p className="mt-2 text-[13px] text-muted">
                {words.splitHint(formatNumber(lines.length), formatNumber(values.length))}
              </p>
            )}
          </>
        )}
      </Panel>
      {state.of === undefined && (
        <>
          <Keywords filters={filters} q={queries.length === 1 ? queries[0] : undefined} />
          <Forums />
        </>
      )}
    </Page>
  );
}

/** A line of the chart and the data it shows. */
interface Line {
  name: string;
  /** The search for the posts that the line counts. */
  search: SearchState;
  buckets: Pick<Series['buckets'][number], 'start' | 'count' | 'mean_sentiment'>[];
}

const queryLine = (q: string, of: TrendsState['of'], { buckets }: Series): Line => ({
  name: q === '' ? words.everything : q,
  search: { ...(of && { of }), ...(q !== '' && { q }) },
  buckets,
});

const VALUE_NAMES: Partial<Record<Split, Record<string, string>>> = {
  sentiment: texts.search.sentiments,
  post_type: texts.search.postTypes,
};

const splitLine = (value: string, { split, of, q1 }: TrendsState, { buckets }: Series): Line => ({
  name: VALUE_NAMES[split!]?.[value] ?? value,
  search: { ...(of && { of }), ...(q1 !== undefined && { q: q1 }), [split!]: value },
  buckets: buckets.map(({ start, split: counts }) => ({
    start,
    count: counts?.[value] ?? 0,
    mean_sentiment: null,
  })),
});

/** The values of a split, most frequent first. */
function valuesOf({ buckets }: Series): string[] {
  const totals = new Map<string, number>();
  for (const { split } of buckets)
    for (const [value, count] of Object.entries(split ?? {}))
      totals.set(value, (totals.get(value) ?? 0) + count);
  return [...totals].sort(([, one], [, other]) => other - one).map(([value]) => value);
}

function TrendChart({ series, measure }: { series: Line[]; measure: Measure }) {
  const serial = JSON.stringify(series);
  const draw = useCallback(
    (element: HTMLElement) => {
      const all = JSON.parse(serial) as Line[];
      const times = [...new Set(all.flatMap(({ buckets }) => buckets.map(({ start }) => start)))].sort();
      const lines = all.map(({ buckets }) => {
        const byStart = new Map(buckets.map((bucket) => [bucket.start, bucket]));
        return times.map((time) => {
          const bucket = byStart.get(time);
          return measure === 'count' ? (bucket?.count ?? 0) : (bucket?.mean_sentiment ?? null);
        });
      });
      return drawLines(
        element,
        HEIGHT,
        times,
        lines,
        measure === 'count' ? {} : { formatValue: formatSigned, range: [-1, 1] },
      );
    },
    [serial, measure],
  );
  return <Chart label={words.chart(words.measures[measure])} height={HEIGHT} draw={draw} />;
}

/** Each line with its colour, its total and its mean sentiment. */
function Totals({
  title,
  lines,
  days,
}: {
  title: string;
  lines: Line[];
  days: Pick<SearchState, 'from' | 'to'>;
}) {
  return (
    <table className="mt-4 w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-medium">{title}</th>
          <th className="py-2 text-right font-medium">{words.measures.count}</th>
          <th className="py-2 text-right font-medium">{words.measures.sentiment}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, search, buckets }, index) => {
          const total = buckets.reduce((sum, { count }) => sum + count, 0);
          const sounds = buckets.some(({ mean_sentiment }) => mean_sentiment !== null);
          const sentiment = buckets.reduce((sum, one) => sum + one.count * (one.mean_sentiment ?? 0), 0);
          return (
            <tr key={name} className="border-b border-line last:border-0">
              <td className="py-2 [overflow-wrap:anywhere]">
                <span className="mr-2 inline-flex align-middle">
                  <LineMark index={index} />
                </span>
                <Link to="/search" search={{ ...search, ...days }} className="text-accent">
                  {name}
                </Link>
              </td>
              <td className="py-2 text-right tabular-nums">{formatNumber(total)}</td>
              <td className="py-2 text-right tabular-nums">
                {sounds ? formatSigned(sentiment / total) : '–'}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
