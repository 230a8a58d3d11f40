import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KINDS } from '../../api/kinds.ts';
import { anyOr, inOrder, oneOf } from '../../choices.ts';
import { useFollowed } from '../../components/use-followed.ts';
import { api, dataOf } from '../../api/client.ts';
import { hasEnded, type Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { Button, inputClass, Select } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { jobsTexts } from '../../texts/jobs.ts';
import { JobList } from './job-list.tsx';
import { StartJob } from './start-job.tsx';
import { keys } from '../../api/keys.ts';

const PAGE = 50;
/** How often the list is reloaded while it has an unfinished job. */
const REFRESH_MS = 1_000;
const { jobStatuses: STATUSES, modes: MODES } = KINDS.lists;

const route = getRouteApi('/jobs');
const words = jobsTexts;

/** The filters as they stand in the address. */
type GivenFilters = Partial<Record<'status' | 'mode' | 'target', string | undefined>>;

interface JobFilters {
  status?: Job['status'];
  mode?: Job['mode'];
  target?: string;
}

function useJobs(filters: JobFilters) {
  const { workspace_id } = useSession();
  return useInfiniteQuery({
    queryKey: keys.jobs(workspace_id, filters),
    queryFn: ({ pageParam, signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs', {
          params: {
            path: { workspace_id },
            query: { ...filters, view: 'full', limit: PAGE, offset: pageParam },
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
}

export function JobsPage() {
  const { create, ...given } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const [status, mode] = [oneOf(STATUSES, given.status), oneOf(MODES, given.mode)];
  const filters = {
    ...(status && { status }),
    ...(mode && { mode }),
    ...(given.target && { target: given.target }),
  };
  const jobs = useJobs(filters);
  const start = session.allows('write') && (
    <Button look="primary" onClick={() => void navigate({ search: { ...given, create: 'yes' } })}>
      {words.start}
    </Button>
  );
  const isFiltered = Object.keys(filters).length > 0;
  const isFirst = !isFiltered && jobs.data?.pages[0]?.jobs.length === 0;
  return (
    <Page title={words.title} actions={isFirst ? undefined : start}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <StatusTabs given={given} />
        <MoreFilters given={given} mode={mode ?? ''} />
      </div>
      <QueryView query={jobs} rows={5}>
        {({ pages }) => {
          // With `view=full` the list holds whole records.
          const items = pages.flatMap((page) => page.jobs as Job[]);
          if (items.length > 0) return <JobList jobs={items} />;
          return isFiltered ? (
            <Empty title={words.noneFound} />
          ) : (
            <Empty title={words.empty} hint={words.emptyHint} example={words.example}>
              {start}
            </Empty>
          );
        }}
      </QueryView>
      {create !== undefined && !session.allows('write') && (
        <p role="status">{commonTexts.needsScope('write')}</p>
      )}
      <LoadMore query={jobs} />
      {create !== undefined && session.allows('write') && (
        <StartJob
          onClose={() => void navigate({ search: given, replace: true })}
          onStarted={(jobId) => void navigate({ to: '/jobs/$jobId', params: { jobId }, replace: true })}
        />
      )}
    </Page>
  );
}

function StatusTabs({ given }: { given: GivenFilters }) {
  return (
    <nav aria-label={words.filter} className="flex flex-wrap gap-1">
      {[undefined, ...inOrder(STATUSES, words.statuses)].map((one) => (
        <Link
          key={one ?? 'all'}
          to="/jobs"
          search={{ ...given, status: one }}
          aria-current={given.status === one ? 'page' : undefined}
          activeProps={{}}
          className="rounded-full px-3 py-1 text-sm text-ink no-underline hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-semibold"
        >
          {one === undefined ? words.all : words.statuses[one]}
        </Link>
      ))}
    </nav>
  );
}

/** Filters the list by a source, named in full, and by a mode. */
function MoreFilters({ given, mode }: { given: GivenFilters; mode: Job['mode'] | '' }) {
  const { target = '' } = given;
  const navigate = route.useNavigate();
  const [text, setText] = useFollowed(target);
  const filter = (changes: GivenFilters): void => void navigate({ search: { ...given, ...changes } });
  const byTarget = (): void => filter({ target: text.trim() || undefined });
  return (
    <form
      role="search"
      className="grid grid-cols-2 gap-2 max-sm:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        byTarget();
      }}
    >
      <input
        enterKeyHint="search"
        aria-label={words.byTarget}
        placeholder={words.byTarget}
        className={inputClass}
        maxLength={255}
        value={text}
        onChange={({ target: field }) => setText(field.value)}
        onBlur={() => text.trim() !== target && byTarget()}
      />
      <Select
        aria-label={words.byMode}
        value={mode}
        options={anyOr(words.anyMode, MODES, words.modeNames)}
        onChange={(chosen) => filter({ mode: chosen || undefined })}
      />
    </form>
  );
}
