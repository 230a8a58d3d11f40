import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { Button, Field, inputClass } from '../../components/controls.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatDuration, formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { useBriefly } from '../../timers.ts';
import { WorkspaceLink } from './workspace-name.tsx';
import { keys } from '../../api/keys.ts';

const words = texts.admin.overview;
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
            <div className="grid gap-x-6 lg:grid-cols-2">
              <Queues queues={data.queues} outbox={data.outbox} />
              <Servers overview={data} />
            </div>
            <Budgets budgets={data.request_budget} />
            <Executions executions={data.executions} workers={data.workers} />
            <Circuits circuits={data.destinations} total={data.destinations_circuit_open} />
            <RetryJob />
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** A table of a panel; says when its part of the overview is empty or could not be read. */
function Rows<T>({
  title,
  rows,
  empty,
  columns,
  children,
}: {
  title: string;
  rows: readonly T[] | null;
  empty: string;
  columns: readonly string[];
  children: (row: T) => readonly ReactNode[];
}) {
  return (
    <Panel title={title}>
      {rows === null ? (
        <p className="text-sm text-bad">{words.unavailable}</p>
      ) : rows.length === 0 ? (
        <p className="text-sm text-muted">{empty}</p>
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={title}>
          <table className="w-full text-left text-sm">
            <thead className="text-[13px] text-muted">
              <tr className="border-b border-line">
                {columns.map((name) => (
                  <th key={name} className="py-2 pr-4 font-medium whitespace-nowrap">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index} className="border-b border-line last:border-0">
                  {children(row).map((cell, column) => (
                    <td key={column} className="py-2 pr-4 align-top whitespace-nowrap tabular-nums">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
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

function Budgets({ budgets }: { budgets: Overview['request_budget'] }) {
  return (
    <Rows title={words.budget} rows={budgets} empty={words.nothing} columns={words.budgetColumns}>
      {(budget) => [
        budget.source,
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

function Circuits({ circuits, total }: { circuits: Overview['destinations']; total: number | null }) {
  return (
    <Rows
      title={total === null ? words.circuits : words.circuitsOf(formatNumber(total))}
      rows={circuits}
      empty={words.noCircuits}
      columns={words.circuitColumns}
    >
      {(circuit) => [
        `${words.kinds[circuit.kind]} ${circuit.id}`,
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

/** Restarts a failed or stuck job of any workspace. */
function RetryJob() {
  const [jobId, setJobId] = useState('');
  const [isRetried, sayRetried] = useBriefly();
  const retry = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/api/v1/admin/jobs/{job_id}/retry', { params: { path: { job_id: jobId.trim() } } })),
    onSuccess: () => {
      sayRetried(true);
      setJobId('');
    },
  });
  return (
    <Panel title={words.retryJob}>
      <form
        className="flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          retry.mutate();
        }}
      >
        <div className="min-w-0 flex-1 basis-64">
          <Field label={words.jobId} hint={words.retryJobHint}>
            {(control) => (
              <input
                {...control}
                required
                spellCheck={false}
                className={`${inputClass} font-mono`}
                placeholder="job_…"
                value={jobId}
                onChange={({ target }) => setJobId(target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="mb-6" disabled={retry.isPending}>
          {words.retry}
        </Button>
      </form>
      {retry.error && <ErrorNote error={retry.error} />}
      <p role="status" className="text-sm text-good">
        {isRetried && words.retried}
      </p>
    </Panel>
  );
}
