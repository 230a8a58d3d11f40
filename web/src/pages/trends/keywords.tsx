import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { distinctKeywords } from '../../components/distinct-keywords.ts';
import { formatNumber, formatSigned } from '../../format.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { Ranked } from './ranked.tsx';
import { daysOf } from './trends-state.ts';
import { keys } from '../../api/keys.ts';

const words = trendsTexts.keywords;
const READ = 200;
const SHOWN = 20;

interface Period {
  filters: { created_after?: string; created_before?: string };
  q: string | undefined;
}

function useKeywords({ filters, q }: Period) {
  const { workspace_id } = useSession();
  return useQuery({
    queryKey: keys.keywords(workspace_id, q, filters),
    queryFn: async ({ signal }) => {
      const answer = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/keywords', {
          params: {
            path: { workspace_id },
            query: { ...filters, ...(q !== undefined && { q }), of: 'posts', limit: READ },
          },
          signal,
        }),
      );
      const ranked = answer.keywords.toSorted(
        (one, other) => (other.change ?? other.count) - (one.change ?? one.count),
      );
      return distinctKeywords(ranked, q).slice(0, SHOWN);
    },
  });
}

/** Keywords that appear more often than in the preceding period; for all time, the most frequent ones. */
export function Keywords({ isOneOfSeveral, ...period }: Period & { isOneOfSeveral: boolean }) {
  const { filters, q } = period;
  const rises = filters.created_after !== undefined;
  const search = { ...(q !== undefined && { q }), ...daysOf(filters) };
  return (
    <Panel title={isOneOfSeveral ? words.titleOf(q ?? '', rises) : rises ? words.rising : words.frequent}>
      <QueryView query={useKeywords(period)}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ol className="grid gap-x-8 sm:grid-cols-2">
              {found.map(({ keyword, count, change }) => (
                <Ranked key={keyword} name={keyword} search={{ keyword, ...search }}>
                  <span className="text-muted">{words.posts(formatNumber(count))}</span>
                  {change !== null && (
                    <span className={change > 0 ? 'text-good' : change < 0 ? 'text-bad' : 'text-muted'}>
                      {formatSigned(change)}
                    </span>
                  )}
                </Ranked>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Panel>
  );
}
