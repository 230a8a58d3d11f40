import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { type Comment, inThreadOrder } from './thread.ts';
import { readComments } from './read-comments.ts';
import { keys } from '../../api/keys.ts';

const BEGINNING = 200;
const STALE_MS = 60_000;
/** Number of comments after which the progress of reading a thread is rendered and announced again. */
const PROGRESS_STEP = 2_000;
const NONE: readonly Comment[] = [];

/** The first comments of a post in thread order; for most posts these are all. */
export const beginningQuery = (workspace_id: string, post_id: string) =>
  queryOptions({
    queryKey: keys.threadBeginning(workspace_id, post_id),
    queryFn: async ({ signal }) => {
      const page = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/comments', {
          params: {
            path: { workspace_id },
            query: { post_id, sort_by: 'thread', sort_order: 'asc', limit: BEGINNING, view: 'full' },
          },
          signal,
        }),
      );
      return { ...page, comments: inThreadOrder(page.comments) };
    },
    staleTime: STALE_MS,
  });

/** All stored comments of a post in thread order. A long thread shows its beginning until all of it has been read. */
export function useThread(postId: string) {
  const { workspace_id } = useSession();
  const [loaded, setLoaded] = useState(0);
  const beginning = useQuery(beginningQuery(workspace_id, postId));
  const isLong = beginning.data?.has_more ?? false;
  const whole = useQuery({
    queryKey: keys.thread(workspace_id, postId),
    queryFn: async ({ signal }) => {
      const read = readComments(workspace_id, postId, signal, (count) =>
        setLoaded(count - (count % PROGRESS_STEP)),
      );
      return inThreadOrder(await read);
    },
    enabled: isLong,
    // Comparing the comments with the previous ones takes longer than rendering them.
    structuralSharing: false,
    staleTime: STALE_MS,
  });
  const shown = isLong ? whole : beginning;
  return {
    /** Comments of the whole thread, or of its beginning until the rest has been read. */
    comments: (isLong && whole.data) || (beginning.data?.comments ?? NONE),
    isWhole: shown.data !== undefined,
    isPending: beginning.isPending,
    total: (isLong && whole.data?.length) || (beginning.data?.total ?? 0),
    loaded,
    error: shown.data === undefined ? shown.error : null,
    retry: (): void => void shown.refetch(),
  };
}
