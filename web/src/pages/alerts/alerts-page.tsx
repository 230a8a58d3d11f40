import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { keys } from '../../api/keys.ts';
import { readMatches } from '../../api/matches.ts';
import { useSession } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Button } from '../../components/controls.tsx';
import { Deliveries } from '../../components/deliveries.tsx';
import { useInView } from '../../components/in-view.ts';
import { ListPage } from '../../components/list-page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { useDeliveryHealth } from '../../components/recent-results.tsx';
import { ShortList } from '../../components/short-list.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import { MentionRow } from '../mentions/mention-row.tsx';
import { AlertActions } from './alert-actions.tsx';
import AlertBuilder from './alert-builder.tsx';
import { AlertFacts, obstacleOf } from './alert-facts.tsx';
import { type Alert, alertsQuery, deleteAlert, setAlertActive } from './alerts.ts';
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
  const obstacle = obstacleOf(alert, health);
  return (
    <Card as="li" ref={ref} className="p-4 [overflow-wrap:anywhere]">
      <div className="relative flex flex-wrap items-start justify-between gap-3 lg:flex-nowrap">
        {checkbox}
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="line-clamp-2 font-semibold" title={alert.name}>
            <Link
              to="/alerts/$alertId"
              params={{ alertId: alert.id }}
              className="text-ink no-underline hover:underline"
            >
              {alert.name}
            </Link>
          </h2>
          <p className="mt-1 text-sm">
            <ShortList items={alert.query == null ? alert.keywords : [alert.query, ...alert.keywords]} />
          </p>
          <AlertFacts alert={alert} health={health} wasSeen={wasSeen} />
          {obstacle !== null && <p className="mt-1 text-sm text-bad">{obstacle}</p>}
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
          {session.allows('write') && (
            <AlertActions alert={alert} isMenu onTested={() => setOpen('deliveries')} />
          )}
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
