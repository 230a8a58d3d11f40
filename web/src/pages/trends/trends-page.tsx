import { getRouteApi, Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../components/controls.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { jobsTexts } from '../../texts/jobs.ts';
import { trendsTexts } from '../../texts/trends.ts';
import type { Counted } from './buckets.ts';
import { Events } from './events.tsx';
import { Keywords } from './keywords.tsx';
import { Pinning } from './pinning.tsx';
import { Queries } from './queries.tsx';
import { Take } from './take.tsx';
import { Totals } from './totals.tsx';
import { type Trend, trendOf } from './trend.ts';
import { TrendChart } from './trend-chart.tsx';
import { TrendControls } from './trend-controls.tsx';
import type { TrendEvent } from './trend-events.ts';
import { type Line, linesOf, splitName } from './trend-lines.ts';
import { totalOf } from './trend-values.ts';
import { daysOf, queriesOf, readTrendsState, type TrendsState } from './trends-state.ts';
import { useEvents } from './use-events.ts';
import { useTrends } from './use-trends.ts';
import { ValuesTable } from './values-table.tsx';

const words = trendsTexts;
const route = getRouteApi('/trends');

export function TrendsPage() {
  const { allows } = useSession();
  const state = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: TrendsState): void =>
    void navigate({ search: readTrendsState({ ...next }), resetScroll: false });
  const trends = useTrends(state);
  const { period, filters, series, interval: chosen, now } = trends;
  const { of, measure = 'count', split, interval } = state;
  const lines = series === null ? [] : linesOf(state, series, trends.before);
  const trend =
    lines.length === 0 || chosen === undefined
      ? null
      : trendOf(lines, { measure, interval: chosen, counted: filters, now });
  const pinnable = trend === null ? null : { ...state, period, interval: trend.interval };
  const isAwaited = series === null && trends.error === null;
  const marked = useEvents(state, { trend, filters, isAwaited });
  if (trends.hasNone && of === undefined)
    return (
      <Page title={words.title}>
        <Empty {...words.first}>
          <Link to="/start" className={buttonClass('primary')}>
            {jobsTexts.start}
          </Link>
        </Empty>
      </Page>
    );
  return (
    <Page title={words.title}>
      <Queries
        queries={queriesOf(state)}
        onChange={(names) =>
          show({ ...names, of, period: state.period, measure: state.measure, split, interval })
        }
      />
      <TrendControls state={state} period={period} onChange={(changes) => show({ ...state, ...changes })} />
      <Panel title={words.measures[measure]} actions={allows('write') && <Pinning trend={pinnable} />}>
        <TrendView state={state} trends={trends} lines={lines} trend={trend} events={marked.events} />
      </Panel>
      <div className="grid items-start gap-x-4 lg:grid-cols-2">
        {/* Nothing is below them that they would move while they are loading. */}
        <div className="max-lg:order-last">
          <Events marked={marked} interval={chosen} />
        </div>
        {of === undefined && <KeywordsOfAll state={state} filters={filters} />}
      </div>
    </Page>
  );
}

function KeywordsOfAll({ state, filters }: { state: TrendsState; filters: Counted }) {
  const queries = queriesOf(state);
  const shown = queries.length === 0 ? [undefined] : queries;
  return (
    <div>
      {shown.map((q) => (
        <Keywords key={q} filters={filters} q={q} isOneOfSeveral={shown.length > 1} />
      ))}
    </div>
  );
}

/** The chart with its totals and values, or why there is none. */
function TrendView({
  state: { split },
  trends: { series, filters, error, retry },
  lines,
  trend,
  events,
}: {
  state: TrendsState;
  trends: ReturnType<typeof useTrends>;
  lines: Line[];
  trend: Trend | null;
  events: readonly TrendEvent[];
}) {
  if (error) return <ErrorNote error={error} onRetry={retry} />;
  // As high as the chart with its totals.
  if (series === null) return <Loading rows={7} />;
  if (trend === null || lines.every(({ buckets }) => totalOf(buckets) === 0))
    return <Empty title={words.empty} hint={words.emptyHint} />;
  return (
    <>
      <TrendChart trend={trend} events={events} />
      <Take trend={trend} />
      <Totals
        title={split === undefined ? words.query : splitName(split)}
        lines={lines}
        days={daysOf(filters)}
      />
      <ValuesTable trend={trend} events={events} isLinked />
    </>
  );
}
