import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { daysOf, type TrendsState } from './trends-state.ts';

const words = trendsTexts.forums;
const MOST = 100;

/** The forums in which a query finds something within the period, most frequent first; a long list scrolls. */
export function Forums({
  q,
  of,
  filters,
  isOneOfSeveral,
}: {
  /** Empty for everything. */
  q: string;
  of: TrendsState['of'];
  filters: { created_after?: string; created_before?: string };
  isOneOfSeveral: boolean;
}) {
  const { workspace_id } = useSession();
  const forums = useQuery({
    queryKey: keys.forums(workspace_id, of, q, filters),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/facets', {
          params: {
            path: { workspace_id },
            query: {
              ...filters,
              ...(q !== '' && { q }),
              of: of ?? 'posts',
              by: 'forum' as never,
              limit: MOST,
            },
          },
          signal,
        }),
      ),
  });
  const title = isOneOfSeveral ? words.titleOf(q) : words.title;
  return (
    <Panel title={title}>
      <QueryView query={forums}>
        {({ facets: { forum: found = [] } }) =>
          found.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ol
              className="grid max-h-96 gap-x-8 overflow-y-auto sm:grid-cols-2"
              tabIndex={0}
              aria-label={title}
            >
              {found.map(({ value, count }) => (
                <li key={value} className="flex justify-between gap-3 border-b border-line py-1.5 text-sm">
                  <Link
                    to="/search"
                    search={{
                      ...(of && { of }),
                      ...(q !== '' && { q }),
                      forum: value,
                      ...daysOf(filters),
                    }}
                    className="min-w-0 text-accent [overflow-wrap:anywhere]"
                  >
                    {value}
                  </Link>
                  <span className="shrink-0 text-muted tabular-nums">
                    {of === 'comments'
                      ? searchTexts.comments(formatNumber(count))
                      : trendsTexts.keywords.posts(formatNumber(count))}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Panel>
  );
}
