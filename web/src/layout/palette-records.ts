import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, dataOf } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { useSession } from '../api/session.ts';
import { formatRelative } from '../format.ts';
import { alertsQuery } from '../pages/alerts/alerts.ts';
import { newestJobsQuery } from '../pages/home/home-queries.ts';
import { searchOf } from '../pages/search/search-record.ts';
import { savedSearchesQuery } from '../pages/search/saved-searches.ts';
import { commandsTexts } from '../texts/commands.ts';
import { jobsTexts } from '../texts/jobs.ts';
import { useDelayed } from '../timers.ts';

const words = commandsTexts;

/** Something that the command palette opens or does. */
export interface Command {
  name: string;
  run: () => void;
}

const SHOWN_POSTS = 5;
const TYPING_MS = 150;

/** The newest posts that a search for the typed words finds; none until something is typed. */
export function usePostCommands(typed: string): Command[] {
  const navigate = useNavigate();
  const { workspace_id } = useSession();
  const q = useDelayed(typed, TYPING_MS);
  const found = useQuery({
    queryKey: keys.palettePosts(workspace_id, q),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts', {
          params: { path: { workspace_id }, query: { q, limit: SHOWN_POSTS } },
          signal,
        }),
      ),
    enabled: q !== '',
    placeholderData: keepPreviousData,
    // A query that is refused while it is being typed is searched as soon as it is complete.
    retry: false,
  });
  if (typed === '' || found.data === undefined) return [];
  return found.data.posts.map(({ id, title, forum }) => ({
    name: words.post(title, forum),
    run: () => void navigate({ to: '/posts/$postId', params: { postId: id } }),
  }));
}

/** The saved searches, the alerts and the newest jobs, each with what opens it. */
export function useRecordCommands(): Command[] {
  const navigate = useNavigate();
  const { workspace_id } = useSession();
  const searches = useQuery(savedSearchesQuery(workspace_id)).data ?? [];
  const alerts = useQuery(alertsQuery(workspace_id)).data ?? [];
  const jobs = useQuery(newestJobsQuery(workspace_id)).data ?? [];
  return [
    ...searches.map((search) => ({
      name: words.savedSearch(search.name),
      run: () => void navigate({ to: '/search', search: searchOf(search) }),
    })),
    ...alerts.map(({ id, name }) => ({
      name: words.alert(name),
      run: () => void navigate({ to: '/alerts/$alertId', params: { alertId: id } }),
    })),
    ...jobs.map(({ id, target, status, created_at }) => ({
      name: words.job(target, jobsTexts.statuses[status], formatRelative(new Date(created_at))),
      run: () => void navigate({ to: '/jobs/$jobId', params: { jobId: id } }),
    })),
  ];
}
