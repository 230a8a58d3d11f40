import { usePrefetchQuery, useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { usageQuery } from '../../api/usage.ts';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { deliveryHealthQuery } from '../../components/recent-results.tsx';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { commonTexts } from '../../texts/common.ts';
import { homeTexts } from '../../texts/home.ts';
import { type Alert, alertsQuery, cannotSend, isOnlyInMentions } from '../alerts/alerts.ts';
import { JobBar } from '../jobs/job-bar.tsx';
import { schedulesQuery } from '../schedules/schedules.ts';
import { webhooksQuery } from '../webhooks/webhooks.ts';
import { type Attention, attentionOf, type HealthOfAlert } from './attention.ts';
import { newestJobsQuery, risingKeywordsQuery } from './home-queries.ts';
import { Spikes } from './spikes.tsx';

const words = homeTexts;
const SHOWN_PROBLEMS = 8;
const CHECKED_ALERTS = 20;

/** The panels beside the newest mentions. Those below the first one wait for it, so that none moves when it grows. */
export function HomeSide() {
  const { workspace_id } = useSession();
  usePrefetchQuery(risingKeywordsQuery(workspace_id));
  const attention = useAttention();
  return (
    <div className="min-w-0">
      <NeedsAttention attention={attention} />
      {(attention.data !== undefined || attention.error !== null) && (
        <>
          <RunningJobs />
          <RisingKeywords />
          <Spikes />
        </>
      )}
    </div>
  );
}

interface AttentionQuery {
  data: Attention[] | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** What needs attention, once all of it is known. */
function useAttention(): AttentionQuery {
  const { workspace_id } = useSession();
  const jobs = useQuery(newestJobsQuery(workspace_id));
  const webhooks = useQuery(webhooksQuery(workspace_id));
  const schedules = useQuery(schedulesQuery(workspace_id));
  const usage = useQuery(usageQuery(workspace_id));
  const alerts = useAlertHealth();
  const failed = [jobs, webhooks, schedules, usage].find(({ error }) => error !== null);
  return {
    data:
      jobs.data && webhooks.data && schedules.data && usage.data && alerts
        ? attentionOf({
            jobs: jobs.data,
            alerts,
            webhooks: webhooks.data,
            schedules: schedules.data,
            quotas: usage.data.quotas,
          })
        : undefined,
    error: failed?.error ?? null,
    refetch: () => failed?.refetch(),
  };
}

/** What does not work until somebody acts, each with a link to the place where to act. */
function NeedsAttention({ attention }: { attention: AttentionQuery }) {
  const problems = attention.data;
  return (
    <Panel title={words.attention.title}>
      <QueryView rows={1} query={attention}>
        {(found) =>
          found.length === 0 ? (
            <p className="flex items-center gap-2 text-sm text-good">
              <CircleCheck className="size-4 shrink-0" />
              {words.attention.none}
            </p>
          ) : (
            <ul className="-mx-2 space-y-px">
              {found.slice(0, SHOWN_PROBLEMS).map(({ key, tone, title, text, link }) => (
                <li key={key}>
                  <Link
                    {...link}
                    className="flex gap-2.5 rounded-lg px-2 py-1.5 text-[13px] text-ink no-underline hover:bg-raised"
                  >
                    {tone === 'bad' ? (
                      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" />
                    ) : (
                      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" />
                    )}
                    <span className="min-w-0 [overflow-wrap:anywhere]">
                      <span className="block font-medium">{title}</span>
                      <span className="block text-muted">{text}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {problems !== undefined && problems.length > SHOWN_PROBLEMS && (
        <p className="mt-1 text-[13px] text-muted">
          {commonTexts.more(formatNumber(problems.length - SHOWN_PROBLEMS))}
        </p>
      )}
    </Panel>
  );
}

/**
 * How messages of the active alerts go that were used last, null until it is known; those of others are on the page of
 * alerts.
 */
function useAlertHealth(): HealthOfAlert[] | null {
  const { workspace_id } = useSession();
  const alerts = useQuery(alertsQuery(workspace_id));
  const active = (alerts.data ?? [])
    .filter(({ is_active }) => is_active)
    .toSorted((one, other) => lastUse(other) - lastUse(one))
    .slice(0, CHECKED_ALERTS);
  const health = useQueries({
    queries: active.map(({ id }) => deliveryHealthQuery(workspace_id, { kind: 'alert', id })),
  });
  if (alerts.isPending || health.some(({ isPending }) => isPending)) return null;
  return active.map((alert, index) => ({
    alert,
    health: isOnlyInMentions(alert) ? null : (health[index]?.data ?? null),
    obstacle: cannotSend(alert) ? alertsTexts.noEmail : null,
  }));
}

const lastUse = ({ last_triggered_at, created_at }: Alert): number =>
  Date.parse(last_triggered_at ?? created_at);

/** The running jobs with their progress; nothing while none runs. */
function RunningJobs() {
  const { workspace_id } = useSession();
  const { data } = useQuery(newestJobsQuery(workspace_id));
  const running = data?.filter(({ status }) => status === 'running') ?? [];
  if (running.length === 0) return null;
  return (
    <Panel title={words.running}>
      <ul className="space-y-3">
        {running.map((job) => (
          <li key={job.id}>
            <Link
              to="/jobs/$jobId"
              params={{ jobId: job.id }}
              className="mb-1 block text-[13px] font-medium text-ink no-underline [overflow-wrap:anywhere] hover:underline"
            >
              {job.target}
            </Link>
            <JobBar job={job} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The keywords that are used more than the day before, each leading to its posts. */
function RisingKeywords() {
  const { workspace_id } = useSession();
  const query = useQuery(risingKeywordsQuery(workspace_id));
  return (
    <Panel title={words.keywords}>
      <QueryView query={query} rows={1}>
        {({ since, rising }) =>
          rising.length === 0 ? (
            <p className="text-[13px] text-muted">{words.noKeywords}</p>
          ) : (
            <ul className="flex flex-wrap gap-1.5">
              {rising.map(({ keyword, change }) => (
                <li key={keyword}>
                  <Link
                    to="/search"
                    search={{ keyword, q: `after:${since}` }}
                    className="inline-flex gap-1.5 rounded-full bg-raised px-2.5 py-0.5 text-[13px] text-ink no-underline [overflow-wrap:anywhere] hover:bg-accent-soft"
                  >
                    {keyword}
                    <span className="text-fresh tabular-nums">+{formatNumber(change ?? 0)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  );
}
