import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { keys } from '../../api/keys.ts';

const words = texts.trends.forums;

/** Every forum with posts, most posts first; a long list scrolls. */
export function Forums() {
  const { workspace_id } = useSession();
  const forums = useQuery({
    queryKey: keys.forums(workspace_id),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts/forums/list', {
          params: { path: { workspace_id } },
          signal,
        }),
      ),
  });
  return (
    <Panel title={words.title}>
      <QueryView query={forums}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ol
              className="grid max-h-96 gap-x-8 overflow-y-auto sm:grid-cols-2"
              tabIndex={0}
              aria-label={words.title}
            >
              {found.map(({ forum, post_count }) => (
                <li key={forum} className="flex justify-between gap-3 border-b border-line py-1.5 text-sm">
                  <Link
                    to="/search"
                    search={{ forum }}
                    className="min-w-0 text-accent [overflow-wrap:anywhere]"
                  >
                    {forum}
                  </Link>
                  <span className="shrink-0 text-muted tabular-nums">
                    {texts.trends.keywords.posts(formatNumber(post_count))}
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
