import { Card } from '../../components/card.tsx';
import { KINDS } from '../../api/kinds.ts';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { matchCountQuery, readMatches } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Deliveries } from '../../components/deliveries.tsx';
import { useInView } from '../../components/in-view.ts';
import type { DeliveryHealth } from '../../components/delivery-health.ts';
import { ResultBars, useDeliveryHealth } from '../../components/recent-results.tsx';
import { deliveryOf, deliveryText } from './delivery.ts';
import { ListPage } from '../../components/list-page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { RecordActions } from '../../components/record-actions.tsx';
import { ShortList } from '../../components/short-list.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import AlertBuilder from './alert-builder.tsx';
import { MentionRow } from '../mentions/mention-row.tsx';
import {
  type Alert,
  alertsQuery,
  cannotSend,
  deleteAlert,
  isOnlyInMentions,
  searchOfAlert,
  setAlertActive,
} from './alerts.ts';
import { keys } from '../../api/keys.ts';
import { NotifyMe } from './notify-me.tsx';

const words = alertsTexts;
const route = getRouteApi('/alerts');
const PAGE = 20;

export function AlertsPage() {
  const { create, keywords, forum } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return (
    <ListPage
      words={words}
      query={useQuery(alertsQuery(workspace_id))}
      creating={create !== undefined}
      nameOf={({ name }) => name}
      bulk={{
        setActive: ({ id }, isActive) => setAlertActive(workspace_id, id, isActive),
        remove: ({ id }) => deleteAlert(workspace_id, id),
        refresh: () => client.invalidateQueries(alertsQuery(workspace_id)),
        deleted: words.deletedAll,
      }}
      form={
        <AlertBuilder
          alert={null}
          beginning={{
            ...(keywords !== undefined && { keywords: keywords.split('\n') }),
            ...(forum !== undefined && { forums: [forum] }),
          }}
          onClose={() => void navigate({ search: {}, replace: true })}
        />
      }
      onCreate={() => void navigate({ search: { create: 'yes' } })}
    >
      {(alert, checkbox) => <AlertCard key={alert.id} alert={alert} checkbox={checkbox} />}
    </ListPage>
  );
}

function AlertCard({ alert, checkbox }: { alert: Alert; checkbox: ReactNode }) {
  const session = useSession();
  const [open, setOpen] = useState<'matches' | 'deliveries' | null>(null);
  const [ref, wasSeen] = useInView<HTMLLIElement>();
  const health = useDeliveryHealth({ kind: 'alert', id: alert.id }, wasSeen);
  const isNew = route.useSearch().created === alert.id;
  const isMuted = isOnlyInMentions(alert);
  const obstacle = cannotSend(alert) ? words.noEmail : isMuted ? null : (health?.reason ?? null);
  return (
    <Card
      as="li"
      ref={ref}
      look={isNew ? 'selected' : 'plain'}
      className="p-4 [overflow-wrap:anywhere]"
      aria-current={isNew || undefined}
    >
      {isNew && <Created alert={alert} />}
      <div className="relative flex flex-wrap items-start justify-between gap-3 lg:flex-nowrap">
        {checkbox}
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="line-clamp-2 font-semibold" title={alert.name}>
            {alert.name}
          </h2>
          <p className="mt-1 text-sm">
            <ShortList items={alert.query == null ? alert.keywords : [alert.query, ...alert.keywords]} />
          </p>
          <AlertFacts alert={alert} health={health} wasSeen={wasSeen} />
          {alert.is_active && obstacle !== null && <p className="mt-1 text-sm text-bad">{obstacle}</p>}
        </div>
        <div className="flex flex-wrap gap-2 lg:shrink-0 lg:flex-nowrap">
          {(['matches', 'deliveries'] as const).map((part) => (
            <Button
              key={part}
              aria-expanded={open === part}
              aria-label={`${words[part]}: ${alert.name}`}
              onClick={() => setOpen(open === part ? null : part)}
            >
              {words[part]}
            </Button>
          ))}
          <NotifyMe alert={alert} />
          {session.allows('write') && <AlertActions alert={alert} onTested={() => setOpen('deliveries')} />}
        </div>
      </div>
      {open === 'matches' && <Matches alertId={alert.id} />}
      {open === 'deliveries' && (
        <div className="mt-3 border-t border-line pt-3">
          <Deliveries destination={{ kind: 'alert', id: alert.id }} />
        </div>
      )}
    </Card>
  );
}

const channelTitle = (channel: string): string =>
  KINDS.channels.find(({ name }) => name === channel)?.title ?? channel;

/** What a new alert does from now on, with the way to what it would have found. */
function Created({ alert }: { alert: Alert }) {
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => void place.current?.scrollIntoView({ block: 'center' }), []);
  return (
    <p ref={place} role="status" className="mb-2 flex flex-wrap gap-x-3 text-sm text-good">
      {words.created}{' '}
      <Link to="/search" search={searchOfAlert(alert)} className="text-accent">
        {words.stored}
      </Link>
    </p>
  );
}

/** How an alert does, where it looks, and when and by what it notifies. */
function AlertFacts({
  alert,
  health,
  wasSeen,
}: {
  alert: Alert;
  health: DeliveryHealth | undefined;
  wasSeen: boolean;
}) {
  const isMuted = isOnlyInMentions(alert);
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
      <AlertState alert={alert} streak={cannotSend(alert) ? null : isMuted ? 0 : (health?.streak ?? 0)} />
      {health !== undefined && !isMuted && <ResultBars outcomes={health.outcomes} />}
      <span>{alert.forums.length === 0 ? words.everywhere : <ShortList items={alert.forums} />}</span>
      <span>{isMuted ? words.onlyInMentions : channelTitle(alert.channel)}</span>
      {wasSeen && <Found alertId={alert.id} />}
      <span>{words.triggered(formatNumber(alert.trigger_count))}</span>
      {alert.last_triggered_at !== null && (
        <span>
          {words.lastTriggered} <Time at={alert.last_triggered_at} />
        </span>
      )}
      <span>{deliveryText(deliveryOf(alert.delivery ?? null))}</span>
    </p>
  );
}

/** How much an alert has found, which leads to its mentions. */
function Found({ alertId }: { alertId: string }) {
  const { workspace_id } = useSession();
  const count = useQuery(matchCountQuery(workspace_id, alertId)).data;
  if (count === undefined) return null;
  return (
    <Link to="/mentions" search={{ alert: alertId, state: 'all' }} className="text-accent">
      {words.found(formatNumber(count.total), formatNumber(count.fresh))}
    </Link>
  );
}

/** Whether an alert is active, and whether its notifications arrive; null for a streak means that they cannot be sent. */
function AlertState({ alert, streak }: { alert: Alert; streak: number | null }) {
  if (!alert.is_active) return <StatusDot tone="warn">{words.paused}</StatusDot>;
  if (streak === null) return <StatusDot tone="bad">{words.cannotSend}</StatusDot>;
  if (streak > 0) return <StatusDot tone="bad">{deliveriesTexts.streak(formatNumber(streak))}</StatusDot>;
  return <StatusDot tone="good">{words.active}</StatusDot>;
}

function AlertActions({ alert, onTested }: { alert: Alert; onTested: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const path = { workspace_id, alert_id: alert.id };
  const refresh = () => client.invalidateQueries(alertsQuery(workspace_id));
  return (
    <RecordActions
      words={words}
      id={alert.id}
      name={alert.name}
      isMenu
      isActive={alert.is_active}
      deleted={words.deleted(alert.name)}
      action={{
        text: words.test,
        run: async () => {
          await dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/alerts/{alert_id}/test', { params: { path } }),
          );
          await client.invalidateQueries({ queryKey: keys.deliveries({ kind: 'alert', id: alert.id }) });
          onTested();
        },
      }}
      form={(onClose) => <AlertBuilder alert={alert} onClose={onClose} />}
      onToggle={async () => {
        await setAlertActive(workspace_id, alert.id, !alert.is_active);
        await refresh();
      }}
      onDelete={async () => {
        await deleteAlert(workspace_id, alert.id);
        await refresh();
      }}
    />
  );
}

/** The mentions of an alert, newest first, as in the inbox. */
function Matches({ alertId }: { alertId: string }) {
  const { workspace_id } = useSession();
  const matches = useInfiniteQuery({
    queryKey: keys.alertMatches(workspace_id, alertId),
    queryFn: ({ pageParam, signal }) =>
      readMatches(
        workspace_id,
        { alert_id: alertId, limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (last) => (last.has_more ? last.cursor : null),
  });
  return (
    <div className="mt-3 border-t border-line pt-3 text-sm">
      <p className="mb-2">
        <Link to="/mentions" search={{ alert: alertId, state: 'all' }} className="text-accent">
          {words.toMentions}
        </Link>
      </p>
      <QueryView query={matches} rows={1}>
        {({ pages }) =>
          pages[0]!.total === 0 ? (
            <p className="text-muted">{words.noMatches}</p>
          ) : (
            <ul className="-mx-2">
              {pages
                .flatMap((page) => page.matches)
                .map((match) => (
                  <MentionRow key={match.id} match={match} />
                ))}
            </ul>
          )
        }
      </QueryView>
      <LoadMore query={matches} />
    </div>
  );
}
