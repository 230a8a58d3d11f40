import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import type { StoriesState } from './stories-state.ts';

export type Story = Schemas['StoryDto'];
export type StoryPage = Schemas['StoryPostsDto'];

/** The stories of the last 30 days that the filters select, the largest first. */
export const storiesQuery = (workspace_id: string, state: StoriesState) => {
  const { alert, q, scope } = state;
  return infiniteQueryOptions({
    queryKey: keys.stories(workspace_id, state),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/stories', {
          params: {
            path: { workspace_id },
            query: {
              ...(alert !== undefined && { alert_id: alert }),
              ...(q !== undefined && { q }),
              ...(scope !== undefined && { of: scope }),
              ...(pageParam !== '' && { cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
    // Putting stories together takes seconds.
    staleTime: 60_000,
  });
};

/** The posts or comments of a story. */
export const storyPostsQuery = (workspace_id: string, story_id: string) =>
  infiniteQueryOptions({
    queryKey: keys.storyPosts(workspace_id, story_id),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/stories/{story_id}/posts', {
          params: {
            path: { workspace_id, story_id },
            query: { ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
  });
