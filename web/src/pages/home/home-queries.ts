import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { distinctKeywords } from '../../components/distinct-keywords.ts';
import { keys } from '../../api/keys.ts';
import { dayFigures, periodsAt } from './day-figures.ts';

const REFRESH_MS = 60_000;
const RUNNING_REFRESH_MS = 3_000;
const NEWEST_JOBS = 50;
const KEYWORDS = 60;
const SHOWN_KEYWORDS = 10;

/** Posts or comments that were written in the last 24 hours and in the 24 before, hour by hour. */
export const dayQuery = (workspace_id: string, of: 'posts' | 'comments') =>
  queryOptions({
    queryKey: keys.home(workspace_id, 'day', of),
    queryFn: async ({ signal }) => {
      const { since, before } = periodsAt(new Date());
      const { buckets } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/timeseries', {
          params: {
            path: { workspace_id },
            query: { of, interval: 'hour', timezone: 'UTC', created_after: before },
          },
          signal,
        }),
      );
      return { since, ...dayFigures(buckets, since) };
    },
    refetchInterval: REFRESH_MS,
  });

/** Number of posts and of comments that were written since a time. */
export const countsSinceQuery = (workspace_id: string, since: Date | null) =>
  queryOptions({
    queryKey: keys.home(workspace_id, 'since', since?.getTime()),
    queryFn: async ({ signal }) => {
      const query = { created_after: since!.toISOString(), limit: 1 };
      const params = { path: { workspace_id }, query };
      const [posts, comments] = await Promise.all([
        dataOf(api.GET('/api/v1/workspaces/{workspace_id}/posts', { params, signal })),
        dataOf(api.GET('/api/v1/workspaces/{workspace_id}/comments', { params, signal })),
      ]);
      return { posts: posts.total, comments: comments.total };
    },
    enabled: since !== null,
  });

/** The keywords whose use grew most from one day to the next. */
export const risingKeywordsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.home(workspace_id, 'keywords'),
    queryFn: async ({ signal }) => {
      const now = new Date();
      const { since } = periodsAt(now);
      const { keywords } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/keywords', {
          params: {
            path: { workspace_id },
            query: { of: 'posts', limit: KEYWORDS, created_after: since, created_before: now.toISOString() },
          },
          signal,
        }),
      );
      const rising = distinctKeywords(
        keywords
          .filter(({ change }) => (change ?? 0) > 0)
          .toSorted((one, other) => other.change! - one.change!),
      ).slice(0, SHOWN_KEYWORDS);
      return { since, rising };
    },
  });

const SPIKE_DAYS = 7;
const SHOWN_SPIKES = 3;

/** The newest spikes of posts in the last week, latest first. */
export const spikesQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.home(workspace_id, 'spikes'),
    queryFn: async ({ signal }) => {
      const created_after = new Date(Date.now() - SPIKE_DAYS * 86_400_000).toISOString();
      const { spikes } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/spikes', {
          params: { path: { workspace_id }, query: { of: 'posts', interval: 'hour', created_after } },
          signal,
        }),
      );
      return spikes.slice(-SHOWN_SPIKES).toReversed();
    },
  });

/** The newest jobs as whole records, reloaded often while one of them runs. */
export const newestJobsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: keys.home(workspace_id, 'jobs'),
    queryFn: async ({ signal }) => {
      const { jobs } = await dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
          params: { path: { workspace_id }, query: { view: 'full', limit: NEWEST_JOBS } },
          signal,
        }),
      );
      // With `view=full` the list holds whole records.
      return jobs as Schemas['JobDto'][];
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'running') ? RUNNING_REFRESH_MS : REFRESH_MS,
  });
