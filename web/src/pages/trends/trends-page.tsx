import { getRouteApi } from '@tanstack/react-router';
import { Page, Panel } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { Forums } from './forums.tsx';
import { Keywords } from './keywords.tsx';
import { Queries } from './queries.tsx';
import { Take } from './take.tsx';
import { TrendChart, Totals } from './trend-chart.tsx';
import { TrendControls } from './trend-controls.tsx';
import { linesOf, valuesOf } from './trend-lines.ts';
import { daysOf, MOST_QUERIES, queriesOf, readTrendsState, type TrendsState } from './trends-state.ts';
import { useTrends } from './use-trends.ts';

const words = texts.trends;
const route = getRouteApi('/trends');

export function TrendsPage() {
  const state = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: TrendsState): void =>
    void navigate({ search: readTrendsState({ ...next }), resetScroll: false });
  const queries = queriesOf(state);
  const shown = queries.length === 0 ? [''] : queries;
  const { period, filters, series, error, retry } = useTrends(state, shown);
  const { of, measure = 'count', split, interval } = state;
  return (
    <Page title={words.title}>
      <Queries
        queries={queries}
        onChange={(names) =>
          show({ ...names, of, period: state.period, measure: state.measure, split, interval })
        }
      />
      <TrendControls state={state} period={period} onChange={(changes) => show({ ...state, ...changes })} />
      <Panel title={words.measures[measure]}>
        {error ? (
          <ErrorNote error={error} onRetry={retry} />
        ) : series === null ? (
          <Loading rows={4} />
        ) : series.every(({ buckets }) => buckets.every(({ count }) => count === 0)) ? (
          <Empty title={words.empty} hint={words.emptyHint} />
        ) : (
          <>
            <TrendChart lines={linesOf(state, shown, series)} measure={measure} />
            <Take lines={linesOf(state, shown, series)} measure={measure} />
            <Totals
              title={split === undefined ? words.query : texts.search.facets[split]}
              lines={linesOf(state, shown, series)}
              days={daysOf(filters)}
            />
            <SplitHint values={valuesOf(series[0]!).length} />
          </>
        )}
      </Panel>
      {shown.map((q) => (
        <div key={q} className="grid gap-x-4 lg:grid-cols-2">
          {of === undefined && (
            <Keywords filters={filters} q={q === '' ? undefined : q} isOneOfSeveral={shown.length > 1} />
          )}
          <Forums filters={filters} q={q} of={of} isOneOfSeveral={shown.length > 1} />
        </div>
      ))}
    </Page>
  );
}

/** Says that a chart shows only the most frequent values of its split. */
function SplitHint({ values }: { values: number }) {
  if (values <= MOST_QUERIES) return null;
  return (
    <p className="mt-2 text-[13px] text-muted">
      {words.splitHint(formatNumber(MOST_QUERIES), formatNumber(values))}
    </p>
  );
}
