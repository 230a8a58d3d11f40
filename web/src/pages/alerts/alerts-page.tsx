import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Deliveries } from '../../components/deliveries.tsx';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import AlertBuilder from './alert-builder.tsx';

type Alert = Schemas['AlertDto'];
const words = texts.alerts;
const route = getRouteApi('/alerts');
const SHOWN_MATCHES = 20;

const alertsQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['alerts', workspace_id],
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/alerts', { params: { path: { workspace_id } } })),
  });

export function AlertsPage() {
  const { create, keywords, forum } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const alerts = useQuery(alertsQuery(session.workspace_id));
  return (
    <Page
      title={words.title}
      actions={
        session.allows('write') && (
          <Button look="primary" onClick={() => void navigate({ search: { create: 'yes' } })}>
            {words.create}
          </Button>
        )
      }
    >
      {alerts.error ? (
        <ErrorNote error={alerts.error} onRetry={() => void alerts.refetch()} />
      ) : alerts.isPending ? (
        <Loading />
      ) : alerts.data.length === 0 ? (
        <Empty title={words.empty} hint={words.emptyHint} />
      ) : (
        <ul className="space-y-3">
          {alerts.data.map((alert) => (
            <AlertCard key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
      {create !== undefined && session.allows('write') && (
        <AlertBuilder
          keywords={keywords === undefined ? [] : keywords.split('\n')}
          forums={forum === undefined ? [] : [forum]}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      )}
    </Page>
  );
}

function AlertCard({ alert }: { alert: Alert }) {
  const session = useSession();
  const client = useQueryClient();
  const [deleting, setDeleting] = useState(false);
  const [open, setOpen] = useState<'matches' | 'deliveries' | null>(null);
  const path = { workspace_id: session.workspace_id, alert_id: alert.id };
  const refresh = () => client.invalidateQueries(alertsQuery(session.workspace_id));
  const update = useMutation({
    mutationFn: (is_active: boolean) =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', {
          params: { path },
          body: { is_active },
        }),
      ),
    onSuccess: refresh,
  });
  return (
    <li className="rounded-xl border border-line bg-surface p-4 [overflow-wrap:anywhere]">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{alert.name}</h2>
          <p className="mt-1 text-sm">{alert.keywords.join(', ')}</p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-[13px] text-muted">
            <span className={alert.is_active ? 'text-good' : 'text-warn'}>
              {alert.is_active ? words.active : words.paused}
            </span>
            <span>{alert.forums.length === 0 ? words.everywhere : alert.forums.join(', ')}</span>
            <span>{words.channels[alert.channel] ?? alert.channel}</span>
            <span>{words.triggered(formatNumber(alert.trigger_count))}</span>
            {alert.last_triggered_at !== null && (
              <span>
                {words.lastTriggered} <Time at={alert.last_triggered_at} />
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {(['matches', 'deliveries'] as const).map((part) => (
            <Button
              key={part}
              aria-expanded={open === part}
              onClick={() => setOpen(open === part ? null : part)}
            >
              {words[part]}
            </Button>
          ))}
          {session.allows('write') && (
            <>
              <Button disabled={update.isPending} onClick={() => update.mutate(!alert.is_active)}>
                {alert.is_active ? words.pause : words.resume}
              </Button>
              <Button look="danger" onClick={() => setDeleting(true)}>
                {words.delete}
              </Button>
            </>
          )}
        </div>
      </div>
      {update.error && <ErrorNote error={update.error} />}
      {open === 'matches' && <Matches alertId={alert.id} />}
      {open === 'deliveries' && (
        <div className="mt-3 border-t border-line pt-3">
          <Deliveries destination={{ kind: 'alert', id: alert.id }} />
        </div>
      )}
      {deleting && (
        <Confirm
          title={words.deleteTitle(alert.name)}
          text={words.deleteText}
          action={words.delete}
          run={async () => {
            await dataOf(
              api.DELETE('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}', { params: { path } }),
            );
            await refresh();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </li>
  );
}

function Matches({ alertId }: { alertId: string }) {
  const { workspace_id } = useSession();
  const matches = useQuery({
    queryKey: ['alert-matches', workspace_id, alertId],
    queryFn: () =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/matches', {
          params: { path: { workspace_id, alert_id: alertId }, query: { limit: SHOWN_MATCHES } },
        }),
      ),
  });
  if (matches.error) return <ErrorNote error={matches.error} onRetry={() => void matches.refetch()} />;
  if (matches.isPending) return <Loading rows={1} />;
  if (matches.data.matches.length === 0) return <p className="mt-3 text-sm text-muted">{words.noMatches}</p>;
  return (
    <ul className="mt-3 space-y-2 border-t border-line pt-3 text-sm">
      {matches.data.matches.map((match) => (
        <li key={match.post_id}>
          <Link to="/posts/$postId" params={{ postId: match.post_id }} className="text-accent">
            {match.title}
          </Link>
          <span className="block text-[13px] text-muted">
            {match.forum} · <Time at={match.matched_at} /> · {match.keywords.join(', ')}
          </span>
        </li>
      ))}
    </ul>
  );
}
