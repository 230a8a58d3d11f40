import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { hasEnded, type Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { inputClass } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { jobsTexts } from '../../texts/jobs.ts';
import { searchTexts } from '../../texts/search.ts';
import { useDelayed } from '../../timers.ts';
import { PostResult } from '../search/results.tsx';
import { keys } from '../../api/keys.ts';

const PAGE = 10;
const REFRESH_MS = 3_000;
/** Pause in typing after which the list is updated. */
const TYPING_MS = 250;

/** The posts that a job stored, newest first, optionally only those that contain the words. */
export function JobPosts({ job }: { job: Job }) {
  const { workspace_id } = useSession();
  const [text, setText] = useState('');
  const q = useDelayed(text.trim(), TYPING_MS);
  const posts = useInfiniteQuery({
    queryKey: keys.jobPosts(workspace_id, job.id, q),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/posts', {
          params: {
            path: { workspace_id, job_id: job.id },
            query: {
              limit: PAGE,
              cursor: pageParam,
              ...(q !== '' && { q, highlight: true, sort_by: 'relevance' as const }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
    // Posts appear as they arrive.
    refetchInterval: hasEnded(job) ? false : REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={jobsTexts.detail.posts}>
      <input
        type="search"
        aria-label={jobsTexts.detail.searchPosts}
        placeholder={searchTexts.placeholder}
        className={`${inputClass} mb-3`}
        maxLength={500}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <QueryView query={posts}>
        {({ pages }) =>
          pages[0]!.total === 0 ? (
            <Empty title={searchTexts.none} />
          ) : (
            <ol className="space-y-3">
              {pages
                .flatMap((page) => page.posts)
                .map((post) => (
                  <PostResult key={post.id} post={post} />
                ))}
            </ol>
          )
        }
      </QueryView>
      <LoadMore query={posts} />
    </Panel>
  );
}
