import { getRouteApi, Link } from '@tanstack/react-router';
import { Pin } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { Button, buttonClass } from '../../components/controls.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { usePins } from '../../components/pinned-trends.ts';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { Forums } from './forums.tsx';
import { Keywords } from './keywords.tsx';
import { Queries } from './queries.tsx';
import { Take } from './take.tsx';
import { Totals } from './totals.tsx';
import { TrendChart } from './trend-chart.tsx';
import { TrendControls } from './trend-controls.tsx';
import { type Line, linesOf, valuesOf } from './trend-lines.ts';
import { TrendSpikes } from './trend-spikes.tsx';
import { daysOf, MOST_QUERIES, queriesOf, readTrendsState, type TrendsState } from './trends-state.ts';
import { type LineSpike, useSpikes } from './use-spikes.ts';
import { useTrends } from './use-trends.ts';

const words = trendsTexts;
const route = getRouteApi('/trends');

export function TrendsPage() {
  const state = route.useSearch();
  const navigate = route.useNavigate();
  const show = (next: TrendsState): void =>
    void navigate({ search: readTrendsState({ ...next }), resetScroll: false });
  const queries = queriesOf(state);
  const shown = queries.length === 0 ? [''] : queries;
  const trends = useTrends(state, shown);
  const { period, filters, series } = trends;
  const spikes = useSpikes(state, shown, trends.interval, filters);
  const lines = series === null ? [] : linesOf(state, shown, series, trends.before);
  const { of, measure = 'count', split, interval } = state;
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
        queries={queries}
        onChange={(names) =>
          show({ ...names, of, period: state.period, measure: state.measure, split, interval })
        }
      />
      <TrendControls state={state} period={period} onChange={(changes) => show({ ...state, ...changes })} />
      <Panel title={words.measures[measure]} actions={<PinButton state={state} />}>
        <TrendView state={state} trends={trends} lines={lines} spikes={spikes} />
      </Panel>
      {series !== null && <TrendSpikes spikes={spikes} lines={lines} />}
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

function PinButton({ state }: { state: TrendsState }) {
  const { isPinned, toggle } = usePins(useSession().workspace_id);
  return (
    <Button aria-pressed={isPinned(state)} onClick={() => toggle(state)}>
      <Pin className="size-3.5" />
      {isPinned(state) ? words.pins.pinned : words.pins.pin}
    </Button>
  );
}

/** The chart with its totals, or why there is none. */
function TrendView({
  state,
  trends: { series, filters, error, retry },
  lines,
  spikes,
}: {
  state: TrendsState;
  trends: ReturnType<typeof useTrends>;
  lines: Line[];
  spikes: readonly LineSpike[];
}) {
  const { split } = state;
  const measure = state.measure ?? 'count';
  if (error) return <ErrorNote error={error} onRetry={retry} />;
  // As high as the chart with its totals.
  if (series === null) return <Loading rows={6} />;
  if (series.every(({ buckets }) => buckets.every(({ count }) => count === 0)))
    return <Empty title={words.empty} hint={words.emptyHint} />;
  return (
    <>
      <TrendChart lines={lines} measure={measure} spikes={spikes} />
      <Take lines={lines} measure={measure} />
      <Totals
        title={split === undefined ? words.query : searchTexts.facets[split]}
        lines={lines}
        days={daysOf(filters)}
      />
      {split !== 'sentiment' && <SplitHint values={valuesOf(series[0]!).length} />}
    </>
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
