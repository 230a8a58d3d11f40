import { useQuery } from '@tanstack/react-query';
import { forumsQuery } from '../../api/forums.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { Ranked } from './ranked.tsx';
import { daysOf, type TrendsState } from './trends-state.ts';

const words = trendsTexts.forums;
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
  const title = isOneOfSeveral ? words.titleOf(q) : words.title;
  const search = { ...(of && { of }), ...(q !== '' && { q }), ...daysOf(filters) };
  return (
    <Panel title={title}>
      <QueryView query={useQuery(forumsQuery(workspace_id, of ?? 'posts', q, filters))}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ol
              className="grid max-h-96 gap-x-8 overflow-y-auto sm:grid-cols-2"
              tabIndex={0}
              aria-label={title}
            >
              {found.map(({ value, count }) => (
                <Ranked key={value} name={value} search={{ ...search, forum: value }}>
                  <span className="text-muted">
                    {of === 'comments'
                      ? searchTexts.comments(formatNumber(count))
                      : trendsTexts.keywords.posts(formatNumber(count))}
                  </span>
                </Ranked>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Panel>
  );
}
