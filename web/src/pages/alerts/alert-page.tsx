import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Deliveries } from '../../components/deliveries.tsx';
import { LastChange } from '../../components/last-change.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { useDeliveryHealth } from '../../components/recent-results.tsx';
import { Settled } from '../../components/settled.tsx';
import { Empty } from '../../components/states.tsx';
import { alertPageTexts } from '../../texts/alert-page.ts';
import { alertsTexts } from '../../texts/alerts.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { AlertActions } from './alert-actions.tsx';
import { AlertFacts, obstacleOf } from './alert-facts.tsx';
import { AlertMentions } from './alert-mentions.tsx';
import { AlertQuery } from './alert-query.tsx';
import { AlertRecall } from './alert-recall.tsx';
import { AlertSources } from './alert-sources.tsx';
import { AlertStories } from './alert-stories.tsx';
import { AlertTrend } from './alert-trend.tsx';
import { type Alert, alertQuery, searchOfAlert } from './alerts.ts';
import { Listening } from './listening-state.tsx';
import { NotifyMe } from './notify-me.tsx';

const words = alertPageTexts;
const route = getRouteApi('/alerts/$alertId');

/** An alert with all that belongs to it. */
export function AlertPage() {
  const { alertId } = route.useParams();
  const session = useSession();
  const navigate = useNavigate();
  const alert = useQuery(alertQuery(session.workspace_id, alertId));
  return (
    <Page
      title={alert.data?.name ?? alertsTexts.title}
      actions={
        alert.data !== undefined && (
          <div className="flex flex-wrap gap-2">
            <NotifyMe alert={alert.data} />
            {session.allows('write') && (
              <AlertActions alert={alert.data} onDeleted={() => void navigate({ to: '/alerts' })} />
            )}
          </div>
        )
      }
    >
      <Link to="/alerts" className="mb-2 -mt-3 inline-block text-sm text-accent">
        {words.back}
      </Link>
      <QueryView query={alert} missing={<Empty title={words.notFound} />}>
        {(data) => (
          <Settled key={data.id}>
            <AlertView alert={data} />
          </Settled>
        )}
      </QueryView>
    </Page>
  );
}

function AlertView({ alert }: { alert: Alert }) {
  const destination = { kind: 'alert', id: alert.id } as const;
  const health = useDeliveryHealth(destination, true);
  const obstacle = obstacleOf(alert, health);
  const isNew = route.useSearch().created !== undefined;
  return (
    <>
      {isNew && (
        <p role="status" className="mb-2 flex flex-wrap gap-x-3 text-sm text-good">
          {alertsTexts.created}{' '}
          <Link to="/search" search={searchOfAlert(alert)} className="text-accent">
            {alertsTexts.stored}
          </Link>
        </p>
      )}
      <div className="mb-4">
        <AlertFacts alert={alert} health={health} />
        <p className="text-[13px]">
          <LastChange of="alerts" id={alert.id} />
        </p>
        {obstacle !== null && <p className="mt-1 text-sm text-bad">{obstacle}</p>}
        {(alert.warnings ?? []).map(
          ({ code }) =>
            words.warnings[code] !== undefined && (
              <p key={code} className="mt-1 text-sm text-warn">
                {words.warnings[code]}
              </p>
            ),
        )}
      </div>
      <AlertQuery alert={alert} />
      <div className="grid gap-x-4 lg:grid-cols-3">
        <div className="min-w-0 lg:col-span-2">
          <AlertTrend alert={alert} />
        </div>
        <div className="min-w-0">
          <AlertSources alert={alert} />
          <Listening alert={alert} />
        </div>
      </div>
      <AlertMentions alert={alert} />
      <div className="grid gap-x-4 lg:grid-cols-2">
        <AlertRecall alert={alert} />
        <AlertStories alert={alert} />
      </div>
      <Panel title={deliveriesTexts.title}>
        <Deliveries destination={destination} />
      </Panel>
    </>
  );
}
