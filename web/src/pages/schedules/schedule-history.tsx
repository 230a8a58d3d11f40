import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { LastChange } from '../../components/last-change.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { formatExact, formatExactTime } from '../../format.ts';
import { schedulesTexts } from '../../texts/schedules.ts';
import type { Schedule } from './schedules.ts';
import { keys } from '../../api/keys.ts';
import { JobStatus } from '../jobs/job-status.tsx';
import { useRunStatuses } from './recent-runs.ts';

const words = schedulesTexts;
const PAGE = 20;

/** The next due times of a schedule and its past occurrences. */
export function ScheduleHistory({ schedule }: { schedule: Schedule }) {
  return (
    <div className="mt-4 grid gap-6 border-t border-line pt-4 text-sm md:grid-cols-[15rem_1fr]">
      <section aria-label={words.next}>
        <h3 className="mb-2 font-semibold">{schedule.is_active ? words.next : words.nextPaused}</h3>
        <NextTimes schedule={schedule} />
      </section>
      <section aria-label={words.history} className="min-w-0">
        <h3 className="mb-2 font-semibold">{words.history}</h3>
        <PastRuns schedule={schedule} />
        <p className="mt-3 text-[13px]">
          <LastChange of="schedules" id={schedule.id} />
        </p>
      </section>
    </div>
  );
}

function NextTimes({ schedule }: { schedule: Schedule }) {
  const path = { workspace_id: useSession().workspace_id, schedule_id: schedule.id };
  const next = useQuery({
    queryKey: keys.scheduleNext(schedule.id, schedule.next_run_at),
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}/next', { params: { path } })),
  });
  return (
    <QueryView query={next} rows={1}>
      {({ next_runs }) => (
        <ol className="space-y-1">
          {next_runs.map((at) => (
            <li key={at}>
              <time dateTime={at} title={formatExact(new Date(at))}>
                {formatExactTime(new Date(at))}
              </time>
            </li>
          ))}
        </ol>
      )}
    </QueryView>
  );
}

function PastRuns({ schedule }: { schedule: Schedule }) {
  const path = { workspace_id: useSession().workspace_id, schedule_id: schedule.id };
  const statuses = useRunStatuses(schedule);
  const runs = useInfiniteQuery({
    queryKey: keys.scheduleRuns(schedule.id),
    queryFn: ({ pageParam }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/schedules/{schedule_id}/runs', {
          params: { path, query: { limit: PAGE, offset: pageParam } },
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.has_more ? pages.length * PAGE : null),
  });
  return (
    <>
      <QueryView query={runs} rows={1}>
        {({ pages }) =>
          pages[0]!.total === 0 ? (
            <p className="text-muted">{words.noHistory}</p>
          ) : (
            <ul className="space-y-2">
              {pages
                .flatMap((page) => page.runs)
                .map((run) => (
                  <li key={`${run.due_at} ${run.recorded_at}`} className="flex flex-wrap gap-x-3">
                    <Time at={run.due_at} />
                    <span className="text-muted">{words.triggers[run.trigger]}</span>
                    {run.job_id !== null ? (
                      <RunOfJob jobId={run.job_id} status={statuses.get(run.job_id)} />
                    ) : (
                      <span className="text-warn [overflow-wrap:anywhere]">
                        {words.skipped}: {words.skips[run.skip_reason ?? ''] ?? run.detail}
                      </span>
                    )}
                  </li>
                ))}
            </ul>
          )
        }
      </QueryView>
      <LoadMore query={runs} />
    </>
  );
}

/** How the job of a run went, as far as its jobs are known, and the link to it. */
function RunOfJob({ jobId, status }: { jobId: string; status: Schemas['JobDto']['status'] | undefined }) {
  return (
    <>
      {status !== undefined && <JobStatus status={status} />}
      <Link to="/jobs/$jobId" params={{ jobId }} className="text-accent">
        {words.toJob}
      </Link>
    </>
  );
}
