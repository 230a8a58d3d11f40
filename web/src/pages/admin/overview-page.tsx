import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { Button } from '../../components/controls.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { adminTexts } from '../../texts/admin.ts';
import { FailedJobs, RetryJob } from './failed-jobs.tsx';
import { LastDay } from './last-day.tsx';
import { Rows } from './rows.tsx';
import { WorkspaceLink } from './workspace-name.tsx';
import { keys } from '../../api/keys.ts';
import { sourceName } from '../../api/original.ts';

const words = adminTexts.overview;
const REFRESH_MS = 5_000;

type Overview = Schemas['OverviewDto'];

/** The state of the whole service, reloaded every few seconds. */
export function OverviewPage() {
  const overview = useQuery({
    queryKey: keys.adminOverview(),
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/admin/overview', { signal })),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title={words.title}>
      <QueryView query={overview}>
        {(data) => (
          <>
            <LastDay hours={data.ended_jobs} />
            <FailedJobs jobs={data.failed_jobs} />
            <Executions executions={data.executions} workers={data.workers} />
            <div className="grid gap-x-4 lg:grid-cols-2">
              <Queues queues={data.queues} outbox={data.outbox} />
              <Servers overview={data} />
            </div>
            <Budgets budgets={data.request_budget} />
            <Circuits circuits={data.destinations} total={data.destinations_circuit_open} />
            <RetryJob />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Queues({ queues, outbox }: Pick<Overview, 'queues' | 'outbox'>) {
  const rows = queues?.map(({ queue, waiting, oldest_seconds }) => ({
    name: words.queueNames[queue],
    waiting,
    oldest: oldest_seconds,
  }));
  if (rows !== undefined && outbox !== null)
    rows.push({ name: words.outbox(outbox.set_aside), waiting: outbox.pending, oldest: outbox.lag_seconds });
  return (
    <Rows title={words.queues} rows={rows ?? null} empty={words.nothing} columns={words.queueColumns}>
      {({ name, waiting, oldest }) => [
        name,
        formatNumber(waiting),
        waiting === 0 ? '–' : formatDuration(oldest),
      ]}
    </Rows>
  );
}

function Servers({ overview: { database, redis, versions } }: { overview: Overview }) {
  const health = ({ status, latency_ms }: Overview['redis'], version: string | null): ReactNode => (
    <span className="flex flex-wrap gap-x-3">
      <StatusDot tone={status === 'ok' ? 'good' : 'bad'}>{words.health[status]}</StatusDot>
      {version !== null && <span>{version}</span>}
      {latency_ms !== null && (
        <span className="text-muted">{words.milliseconds(formatNumber(latency_ms))}</span>
      )}
    </span>
  );
  return (
    <Panel title={words.servers}>
      <Facts
        facts={[
          ['Postgres', health(database, versions.postgres)],
          ['Redis', health(redis, versions.redis)],
          ...database.pools.map(
            ({ pool, in_use, waiting }) =>
              [words.pool(pool), words.poolUse(formatNumber(in_use), formatNumber(waiting))] as const,
          ),
          [words.service, versions.service],
          ['Node.js', versions.node],
        ]}
      />
    </Panel>
  );
}

/** The name of a source, with the site when the budget is that of one site. */
function budgetName(source: string): string {
  const [name = '', ...site] = source.split(':');
  return [sourceName(name), ...(site.length > 0 ? [site.join(':')] : [])].join(': ');
}

function Budgets({ budgets }: { budgets: Overview['request_budget'] }) {
  return (
    <Rows title={words.budget} rows={budgets} empty={words.nothing} columns={words.budgetColumns}>
      {(budget) => [
        budgetName(budget.source),
        words.used(
          formatNumber(budget.used),
          formatNumber(budget.limit),
          formatDuration(budget.window_seconds),
        ),
        formatNumber(budget.remaining),
        formatNumber(budget.waiting),
      ]}
    </Rows>
  );
}

function Executions({ executions, workers }: Pick<Overview, 'executions' | 'workers'>) {
  const alive = workers?.filter((worker) => worker.alive).length ?? 0;
  return (
    <Rows
      title={workers === null ? words.executions : words.executionsOf(formatNumber(alive))}
      rows={executions}
      empty={words.noExecutions}
      columns={words.executionColumns}
    >
      {(execution) => [
        execution.target ?? execution.job_id,
        <WorkspaceLink id={execution.workspace_id} />,
        execution.worker ?? '–',
        execution.started_at === null ? '–' : <Time at={execution.started_at} />,
        <span className={execution.lease_expired ? 'text-bad' : ''}>
          {formatDuration(execution.lease_age_seconds)}
          {execution.lease_expired && `, ${words.expired}`}
        </span>,
      ]}
    </Rows>
  );
}

/** The beginning of the id of a destination whose name is not known, e.g. because it is deleted. */
const shortId = (id: string): string => {
  const [prefix, uuid] = id.split('_');
  return uuid === undefined ? id : `${prefix}_${uuid.slice(0, 8)}…`;
};

function Circuits({ circuits, total }: { circuits: Overview['destinations']; total: number | null }) {
  return (
    <Rows
      title={total === null ? words.circuits : words.circuitsOf(formatNumber(total))}
      rows={circuits}
      empty={words.noCircuits}
      columns={words.circuitColumns}
      hasActions
    >
      {(circuit) => [
        <span title={circuit.id} className="inline-block max-w-56 truncate align-bottom">
          {words.kinds[circuit.kind]} {circuit.name ?? shortId(circuit.id)}
        </span>,
        <WorkspaceLink id={circuit.workspace_id} />,
        formatNumber(circuit.failures),
        circuit.next_attempt_at === null ? '–' : <Time at={circuit.next_attempt_at} due={words.isDue} />,
        <RetryDestination id={circuit.id} />,
      ]}
    </Rows>
  );
}

function RetryDestination({ id }: { id: string }) {
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/admin/destinations/{destination_id}/retry', {
          params: { path: { destination_id: id } },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.adminOverview() }),
  });
  return (
    <>
      <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
        {words.retry}
      </Button>
      {retry.error && <ErrorNote error={retry.error} />}
    </>
  );
}
