import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, type CommentQuery, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { type Comment, inThreadOrder } from './thread.ts';

const PAGE = 200;
const STALE_MS = 60_000;
const NONE: readonly Comment[] = [];

const readPage = (
  workspace_id: string,
  query: Pick<CommentQuery, 'post_id' | 'sort_by' | 'sort_order' | 'cursor'>,
  signal: AbortSignal,
): Promise<Schemas['CommentPageDto']> =>
  dataOf(
    api.GET('/api/v1/workspaces/{workspace_id}/comments', {
      params: { path: { workspace_id }, query: { ...query, limit: PAGE } },
      signal,
    }),
  );

/** The comments of a post by time, from the oldest or from the newest one on. */
export const commentsQuery = (workspace_id: string, post_id: string, sort_order: 'asc' | 'desc') =>
  infiniteQueryOptions({
    queryKey: ['thread', workspace_id, post_id, sort_order],
    queryFn: ({ pageParam, signal }) =>
      readPage(workspace_id, { post_id, sort_by: 'created_utc', sort_order, cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
    // Comparing every page that is there with itself, whenever one is added, takes longer than reading it.
    structuralSharing: false,
    staleTime: STALE_MS,
  });

/** The first comments in the order of the thread, which the service works out from all of them for each page. */
const beginningQuery = (workspace_id: string, post_id: string) =>
  queryOptions({
    queryKey: ['thread-beginning', workspace_id, post_id],
    queryFn: ({ signal }) =>
      readPage(workspace_id, { post_id, sort_by: 'thread', sort_order: 'asc', cursor: '' }, signal),
    staleTime: STALE_MS,
  });

/**
 * All stored comments of a post in the order of the thread. A long thread shows its beginning first, and is read by time from
 * both ends at once, until the two meet.
 */
export function useThread(postId: string) {
  const { workspace_id } = useSession();
  const oldest = useInfiniteQuery(commentsQuery(workspace_id, postId, 'asc'));
  const isLong = oldest.data?.pages[0]!.has_more ?? false;
  const newest = useInfiniteQuery({ ...commentsQuery(workspace_id, postId, 'desc'), enabled: isLong });
  const beginning = useQuery({ ...beginningQuery(workspace_id, postId), enabled: isLong });
  const isWhole = useMemo(
    () => oldest.data !== undefined && isComplete(oldest.data, newest.data),
    [oldest.data, newest.data],
  );
  useReading(oldest, isWhole);
  useReading(newest, isWhole);
  const whole = useMemo(
    () => (isWhole ? inThreadOrder(merged(commentsOf(oldest.data), commentsOf(newest.data))) : null),
    [isWhole, oldest.data, newest.data],
  );
  const failed = isWhole ? [] : [oldest, newest].filter((read) => read.isError);
  return {
    /** Of the thread, or of its beginning while the rest is read. */
    comments: whole ?? beginning.data?.comments ?? NONE,
    isWhole,
    isPending: oldest.isPending,
    total: oldest.data?.pages[0]!.total ?? 0,
    loaded: countOf(oldest.data) + countOf(newest.data),
    error: failed[0]?.error ?? null,
    retry: (): void => failed.forEach((read) => void read.fetchNextPage()),
  };
}

/** Reads page after page until `isWhole`. */
function useReading(
  { hasNextPage, isFetching, isError, fetchNextPage }: ReturnType<typeof useInfiniteQuery>,
  isWhole: boolean,
): void {
  useEffect(() => {
    if (!isWhole && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isWhole, hasNextPage, isFetching, isError, fetchNextPage]);
}

type Pages = { pages: Schemas['CommentPageDto'][] } | undefined;

const commentsOf = (read: Pages): Comment[] => read?.pages.flatMap((page) => page.comments) ?? [];

const countOf = (read: Pages): number =>
  read?.pages.reduce((sum, page) => sum + page.comments.length, 0) ?? 0;

/** Whether one of the two has read everything, or both have read the same comment. */
function isComplete(oldest: NonNullable<Pages>, newest: Pages): boolean {
  if ([oldest, newest].some((read) => read?.pages.at(-1)!.has_more === false)) return true;
  return has(newest, lastOf(oldest)) || has(oldest, lastOf(newest));
}

const lastOf = (read: Pages): Comment | undefined => read?.pages.at(-1)!.comments.at(-1);

const has = (read: Pages, comment: Comment | undefined): boolean =>
  comment !== undefined &&
  (read?.pages.some(({ comments }) => comments.some(({ id }) => id === comment.id)) ?? false);

/** Comments from the oldest to the newest one, each once. */
function merged(oldest: readonly Comment[], newest: readonly Comment[]): Comment[] {
  const known = new Set(oldest.map(({ id }) => id));
  return [...oldest, ...newest.filter(({ id }) => !known.has(id)).reverse()];
}
