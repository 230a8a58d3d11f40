import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiError, dataOf, type Schemas } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { Card } from '../components/card.tsx';
import { Page } from '../components/page.tsx';
import { aboutOf, stateOfPin, titleOf } from '../components/pinned-trends.ts';
import { Empty, ErrorNote } from '../components/states.tsx';
import { formatDay, ownTimeZone } from '../format.ts';
import { trendsTexts } from '../texts/trends.ts';
import { linesOf } from './trends/trend-lines.ts';
import { trendOf } from './trends/trend.ts';
import { TrendFigure } from './trends/trend-figure.tsx';
import { ValuesTable } from './trends/values-table.tsx';

const words = trendsTexts.link;
const CHART_HEIGHT = 320;

/**
 * The chart of a pinned trend, and nothing else, without a session. The token is in the fragment of the address, which
 * browsers send to no server.
 */
export default function SharedTrend() {
  const token = useRouterState({ select: ({ location }) => location.hash });
  const { data, error, refetch } = useQuery({
    queryKey: keys.sharedTrend(token),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/shared/trends', { params: { query: { token, timezone: ownTimeZone } }, signal }),
      ),
    staleTime: 60_000,
  });
  return (
    <main>
      <Page title={data === undefined ? words.shared : titleOf(stateOfPin(data))}>
        {error instanceof ApiError && error.status < 500 ? (
          <Empty title={words.gone} hint={words.goneHint} />
        ) : error ? (
          <ErrorNote error={error} onRetry={() => void refetch()} />
        ) : (
          <Card className="min-h-96 p-4">{data && <Shared trend={data} />}</Card>
        )}
      </Page>
    </main>
  );
}

function Shared({ trend }: { trend: Schemas['SharedTrendDto'] }) {
  const [now] = useState(Date.now);
  const state = stateOfPin(trend);
  const { measure = 'count', interval } = state;
  const { series, created_after, created_before } = trend;
  const counted = {
    created_after: created_after ?? undefined,
    created_before: created_before ?? undefined,
  };
  return (
    <>
      <p className="mb-3 text-[13px] text-muted">{aboutOf(state)}</p>
      <TrendFigure {...{ state, series, now, interval, counted }} height={CHART_HEIGHT} className="mt-2" />
      <ValuesTable
        trend={trendOf(linesOf(state, series), { measure, interval, counted, now })}
        events={[]}
        isLinked={false}
      />
      <p className="mt-3 text-[13px] text-muted">{words.ends(formatDay(new Date(trend.expires_at)))}</p>
    </>
  );
}
