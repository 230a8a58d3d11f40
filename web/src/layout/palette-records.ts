import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { formatRelative } from '../format.ts';
import { alertsQuery } from '../pages/alerts/alerts.ts';
import { newestJobsQuery } from '../pages/home/home-queries.ts';
import { searchOf } from '../pages/search/search-record.ts';
import { savedSearchesQuery } from '../pages/search/saved-searches.ts';
import { texts } from '../texts.ts';

const words = texts.commands;

/** Something that the command palette opens or does. */
export interface Command {
  name: string;
  run: () => void;
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
      run: () => void navigate({ to: '/mentions', search: { alert: id, state: 'all' as const } }),
    })),
    ...jobs.map(({ id, target, status, created_at }) => ({
      name: words.job(target, texts.jobs.statuses[status], formatRelative(new Date(created_at))),
      run: () => void navigate({ to: '/jobs/$jobId', params: { jobId: id } }),
    })),
  ];
}
