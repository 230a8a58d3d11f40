import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client.ts';
import { keys } from '../api/keys.ts';
import { newestMatchesQuery } from '../api/matches.ts';
import { useSession } from '../api/session.ts';
import { formatCompact } from '../format.ts';
import { navigationTexts } from '../texts/navigation.ts';
import type { PagePath } from './links.ts';

/** How often the counts are read again while the page is visible. */
const REFRESH_MS = 30_000;

/** A number next to a page of the navigation, and what it counts. */
export interface Count {
  shown: string;
  meaning: string;
}

/** The numbers next to the pages of the navigation; zeros are left out. */
export function useCounts(): Partial<Record<PagePath, Count>> {
  const { workspace_id } = useSession();
  const mentions = useQuery({ ...newestMatchesQuery(workspace_id), refetchInterval: REFRESH_MS }).data?.counts
    .new;
  const { data: jobs } = useQuery({
    queryKey: keys.unfinishedJobs(workspace_id),
    queryFn: async () => {
      const [running, pending] = await Promise.all(
        (['running', 'pending'] as const).map((status) =>
          dataOf(
            api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
              params: { path: { workspace_id }, query: { status, limit: 1 } },
            }),
          ),
        ),
      );
      return running!.total + pending!.total;
    },
    refetchInterval: REFRESH_MS,
  });
  return {
    ...countOf('/mentions', mentions, navigationTexts.newMentions),
    ...countOf('/jobs', jobs, navigationTexts.running),
  };
}

function countOf(page: PagePath, count: number | undefined, meaning: (shown: string) => string) {
  if (count === undefined || count === 0) return {};
  const shown = formatCompact(count);
  return { [page]: { shown, meaning: meaning(shown) } };
}
