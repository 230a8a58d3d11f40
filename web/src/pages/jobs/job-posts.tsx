import { useInfiniteQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import type { Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { texts } from '../../texts.ts';
import { PostResult } from '../search/results.tsx';

const PAGE = 10;

/** The posts that a job stored, newest first. */
export function JobPosts({ job }: { job: Job }) {
  const { workspace_id } = useSession();
  const posts = useInfiniteQuery({
    queryKey: ['job-posts', workspace_id, job.id],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/posts', {
          params: {
            path: { workspace_id, job_id: job.id },
            query: { limit: PAGE, cursor: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
  });
  return (
    <Panel title={texts.jobs.detail.posts}>
      <QueryView query={posts}>
        {({ pages }) => (
          <ol className="space-y-3">
            {pages
              .flatMap((page) => page.posts)
              .map((post) => (
                <PostResult key={post.id} post={post} />
              ))}
          </ol>
        )}
      </QueryView>
      <LoadMore query={posts} />
    </Panel>
  );
}
