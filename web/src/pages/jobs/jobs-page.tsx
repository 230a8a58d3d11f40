import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { hasEnded } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { JobStatus } from './job-status.tsx';
import { StartJob } from './start-job.tsx';

const PAGE = 50;
/** How often the list is read while a job of it is unfinished. */
const REFRESH_MS = 1_000;
const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
type Status = (typeof STATUSES)[number];

const route = getRouteApi('/jobs');

export function JobsPage() {
  const { status: given, create } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const workspace_id = session.workspace_id;
  const status = STATUSES.find((one) => one === given);
  const jobs = useInfiniteQuery({
    queryKey: ['jobs', workspace_id, status],
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
          params: {
            path: { workspace_id },
            query: { limit: PAGE, offset: pageParam, ...(status && { status }) },
          },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : null),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.jobs.some((job) => !hasEnded(job))) ? REFRESH_MS : false,
  });
  const items = jobs.data?.pages.flatMap((page) => page.jobs) ?? [];
  return (
    <Page
      title={texts.jobs.title}
      actions={
        session.allows('write') && (
          <Button look="primary" onClick={() => void navigate({ search: { create: 'yes' } })}>
            {texts.jobs.start}
          </Button>
        )
      }
    >
      <nav aria-label={texts.jobs.filter} className="mb-4 flex flex-wrap gap-1">
        {([undefined, ...STATUSES] as const).map((one) => (
          <Link
            key={one ?? 'all'}
            to="/jobs"
            search={one === undefined ? {} : { status: one }}
            activeOptions={{ exact: true, includeSearch: true }}
            className="rounded-full px-3 py-1 text-sm text-ink no-underline hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold"
          >
            {one === undefined ? texts.jobs.all : texts.jobs.statuses[one]}
          </Link>
        ))}
      </nav>
      {jobs.error ? (
        <ErrorNote error={jobs.error} onRetry={() => void jobs.refetch()} />
      ) : jobs.isPending ? (
        <Loading rows={5} />
      ) : items.length === 0 ? (
        status === undefined ? (
          <Empty title={texts.jobs.empty} hint={texts.jobs.emptyHint} />
        ) : (
          <Empty title={texts.jobs.noneOfStatus} />
        )
      ) : (
        <JobTable jobs={items} />
      )}
      {jobs.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button disabled={jobs.isFetchingNextPage} onClick={() => void jobs.fetchNextPage()}>
            {texts.common.loadMore}
          </Button>
        </div>
      )}
      {create !== undefined && session.allows('write') && (
        <StartJob
          onClose={() => void navigate({ search: {}, replace: true })}
          onStarted={(jobId) => void navigate({ to: '/jobs/$jobId', params: { jobId }, replace: true })}
        />
      )}
    </Page>
  );
}

function JobTable({ jobs }: { jobs: Schemas['JobListItemDto'][] }) {
  const { columns } = texts.jobs;
  const number = 'px-4 py-2.5 text-right tabular-nums max-sm:hidden';
  return (
    <div className="overflow-x-auto rounded-xl border border-line bg-surface">
      <table className="w-full text-left text-sm">
        <thead className="text-[13px] text-muted">
          <tr className="border-b border-line">
            <th className="px-4 py-2.5 max-sm:px-2.5 font-medium">{columns.target}</th>
            <th className="px-4 py-2.5 max-sm:px-2.5 font-medium">{columns.status}</th>
            <th className={`${number} font-medium`}>{columns.posts}</th>
            <th className={`${number} font-medium`}>{columns.comments}</th>
            <th className="px-4 py-2.5 max-sm:px-2.5 font-medium">{columns.created}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <tr key={job.id} className="border-b border-line last:border-0">
              <td className="max-w-60 px-4 py-2.5 max-sm:px-2.5">
                <Link
                  to="/jobs/$jobId"
                  params={{ jobId: job.id }}
                  className="font-medium text-accent no-underline break-words hover:underline"
                >
                  {job.target}
                </Link>
                <span className="block text-[13px] text-muted">
                  {texts.jobs.targetTypes[job.target_type]}
                </span>
              </td>
              <td className="px-4 py-2.5 max-sm:px-2.5">
                <JobStatus status={job.status as Status} />
              </td>
              <td className={number}>{formatNumber(job.posts_scraped)}</td>
              <td className={number}>{formatNumber(job.comments_scraped)}</td>
              <td className="px-4 py-2.5 max-sm:px-2.5 text-muted">
                <Time at={job.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
