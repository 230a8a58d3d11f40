import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { LineMark } from '../../components/chart.tsx';
import { Panel } from '../../components/page.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber, ownTimeZone } from '../../format.ts';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { searchTexts } from '../../texts/search.ts';
import { filtersOf } from '../search/search-state.ts';
import { trendOf } from '../trends/trend.ts';
import { TrendChart } from '../trends/trend-chart.tsx';
import type { Line } from '../trends/trend-lines.ts';
import { totalOf } from '../trends/trend-values.ts';
import { type Alert, recentSearchOf, searchOfAlert, tablesOf } from './alerts.ts';

const words = alertPageTexts.trend;
const HEIGHT = 220;

/** What an alert finds among what is stored, by day. */
export function AlertTrend({ alert }: { alert: Alert }) {
  const { workspace_id } = useSession();
  const tables = tablesOf(alert);
  const series = useQueries({
    queries: tables.map((of) => {
      const search = recentSearchOf(alert, of);
      return {
        queryKey: keys.trend(workspace_id, 'alert', search),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          dataOf(
            api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
              params: {
                path: { workspace_id },
                query: {
                  ...(filtersOf(search) as object),
                  of,
                  interval: 'day' as const,
                  timezone: ownTimeZone,
                },
              },
              signal,
            }),
          ),
      };
    }),
  });
  const failed = series.find(({ error }) => error !== null);
  const lines = series.flatMap(({ data }, index): Line[] => {
    const of = tables[index]!;
    return data === undefined
      ? []
      : [{ name: searchTexts.of[of], search: searchOfAlert(alert, of), buckets: data.buckets }];
  });
  return (
    <Panel title={words.title}>
      {failed?.error ? (
        <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />
      ) : lines.length < tables.length ? (
        <Loading rows={3} />
      ) : (
        <Trend lines={lines} />
      )}
    </Panel>
  );
}

function Trend({ lines }: { lines: Line[] }) {
  const [now] = useState(Date.now);
  const trend = trendOf(lines, { measure: 'count', interval: 'day', counted: {}, now });
  if (lines.every(({ buckets }) => totalOf(buckets) === 0))
    return <p className="text-sm text-muted">{words.none}</p>;
  return (
    <>
      <TrendChart trend={trend} height={HEIGHT} />
      <ul className="flex flex-wrap gap-x-4 text-[13px]">
        {lines.map(({ name, buckets }, index) => (
          <li key={name} className="inline-flex items-center gap-1.5">
            <LineMark index={index} /> {name}: {formatNumber(totalOf(buckets))}
          </li>
        ))}
      </ul>
    </>
  );
}
