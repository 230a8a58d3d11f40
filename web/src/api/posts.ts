import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import { keys } from './keys.ts';

const FRESH_MS = 60_000;

export const postQuery = (workspace_id: string, postId: string) =>
  queryOptions({
    queryKey: keys.post(workspace_id, postId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}', {
          params: { path: { workspace_id, post_id: postId }, query: { view: 'full' } },
        }),
      ),
    staleTime: FRESH_MS,
  });

/** The downloaded files of a post. */
export const mediaQuery = (workspace_id: string, postId: string) =>
  queryOptions({
    queryKey: keys.media(workspace_id, postId),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/posts/{post_id}/media', {
          params: { path: { workspace_id, post_id: postId } },
        }),
      ),
    staleTime: FRESH_MS,
  });
