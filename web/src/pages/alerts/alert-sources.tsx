import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { sourceName } from '../../api/original.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { ErrorNote, Loading } from '../../components/states.tsx';
import { formatNumber, formatPercent } from '../../format.ts';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { FACET_VALUES, facetsQuery } from '../search/search-queries.ts';
import { type Alert, recentSearchOf, tablesOf } from './alerts.ts';

const words = alertPageTexts.sources;

/** The share of each source in what an alert finds among what is stored. */
export function AlertSources({ alert }: { alert: Alert }) {
  const { workspace_id } = useSession();
  const facets = useQueries({
    queries: tablesOf(alert).map((of) =>
      facetsQuery(workspace_id, recentSearchOf(alert, of), FACET_VALUES.many),
    ),
  });
  const failed = facets.find(({ error }) => error !== null);
  const counts = countsOf(facets.map(({ data }) => data?.facets.source ?? []));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return (
    <Panel title={words.title}>
      {failed?.error ? (
        <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />
      ) : facets.some(({ data }) => data === undefined) ? (
        <Loading rows={1} />
      ) : counts.length === 0 ? (
        <p className="text-sm text-muted">{words.none}</p>
      ) : (
        <ul className="space-y-2 text-[13px]">
          {counts.map(({ source, count }) => (
            <li key={source}>
              <div className="flex justify-between gap-3">
                <Link
                  to="/search"
                  search={{ ...recentSearchOf(alert), source }}
                  className="min-w-0 truncate text-accent"
                >
                  {sourceName(source)}
                </Link>
                <span className="text-muted tabular-nums">
                  {formatNumber(count)} · {formatPercent(count / total)}
                </span>
              </div>
              <ProgressBar label={sourceName(source)} done={count} total={total} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** The counts of sources in all tables together, the largest first. */
export function countsOf(
  tables: readonly (readonly Schemas['FacetValueDto'][])[],
): { source: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { value, count } of tables.flat()) counts.set(value, (counts.get(value) ?? 0) + count);
  return [...counts]
    .map(([source, count]) => ({ source, count }))
    .sort((one, other) => other.count - one.count);
}
