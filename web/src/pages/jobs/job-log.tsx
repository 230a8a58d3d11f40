import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { hasEnded, type Job } from '../../api/job-events.ts';
import { useSession } from '../../api/session.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { keys } from '../../api/keys.ts';

const words = texts.jobs.log;
const REFRESH_MS = 2_000;

/** The log of a job in sentences; reloaded while it runs. */
export function JobLog({ job }: { job: Job }) {
  const { workspace_id } = useSession();
  const log = useQuery({
    queryKey: keys.jobLog(workspace_id, job.id, hasEnded(job)),
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/jobs/{job_id}/log', {
          params: { path: { workspace_id, job_id: job.id } },
        }),
      ),
    refetchInterval: hasEnded(job) ? false : REFRESH_MS,
  });
  return (
    <Panel title={words.title}>
      <QueryView query={log} rows={1}>
        {({ entries, left_out }) =>
          entries.length === 0 ? (
            <p className="text-sm text-muted">{words.empty}</p>
          ) : (
            <>
              {left_out > 0 && (
                <p className="mb-2 text-[13px] text-muted">{words.leftOut(formatNumber(left_out))}</p>
              )}
              <ol
                tabIndex={0}
                aria-label={words.title}
                className="max-h-96 space-y-1 overflow-y-auto text-sm"
              >
                {entries.map((entry, index) => (
                  <li key={`${entry.at} ${index}`} className="flex gap-3 [overflow-wrap:anywhere]">
                    <span className="w-28 shrink-0 sm:w-36 text-[13px] text-muted">
                      <Time at={entry.at} />
                    </span>
                    <span className={entry.level === 'warn' ? 'text-warn' : ''}>{entry.message}</span>
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </QueryView>
    </Panel>
  );
}
