import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Deliveries } from '../../components/deliveries.tsx';
import { Facts } from '../../components/facts.tsx';
import { LastChange } from '../../components/last-change.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useDeliveryHealth } from '../../components/recent-results.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { commonTexts } from '../../texts/common.ts';
import { deliveriesTexts } from '../../texts/deliveries.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { DeliveryTrend } from './delivery-trend.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookState } from './webhooks-page.tsx';
import { type Webhook, webhookQuery } from './webhooks.ts';

const words = webhooksTexts;
const route = getRouteApi('/webhooks/$webhookId');
/** Number of characters of a path that the title shows. */
const SHOWN_PATH = 12;

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const { workspace_id } = useSession();
  const webhook = useQuery(webhookQuery(workspace_id, webhookId));
  return (
    <Page title={webhook.data === undefined ? words.title : addressWithoutToken(webhook.data.url)}>
      <Link to="/webhooks" className="mb-4 -mt-3 inline-block text-sm text-accent">
        {words.back}
      </Link>
      <QueryView query={webhook} missing={<Empty title={words.notFound} />}>
        {(data) => <WebhookView webhook={data} />}
      </QueryView>
    </Page>
  );
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const session = useSession();
  const navigate = useNavigate();
  const health = useDeliveryHealth({ kind: 'webhook', id: webhook.id }, webhook.failure_count > 0);
  return (
    <>
      <Panel
        title={words.details}
        actions={
          session.allows('write') && (
            <WebhookActions webhook={webhook} onDeleted={() => void navigate({ to: '/webhooks' })} />
          )
        }
      >
        <Facts
          facts={[
            [words.state, <WebhookState webhook={webhook} />],
            ...(health?.reason != null ? [[words.reason, health.reason] as const] : []),
            [words.events, webhook.events.map((type) => words.eventNames[type]).join(', ')],
            [
              words.lastAttempt,
              webhook.last_triggered_at === null ? (
                commonTexts.never
              ) : (
                <Time at={webhook.last_triggered_at} />
              ),
            ],
            [
              words.created,
              <>
                <Time at={webhook.created_at} /> <LastChange of="webhooks" id={webhook.id} />
              </>,
            ],
            [words.id, <span className="font-mono text-[13px]">{webhook.id}</span>],
          ]}
        />
      </Panel>
      <Panel title={deliveriesTexts.title}>
        <DeliveryTrend webhookId={webhook.id} />
        <Deliveries destination={{ kind: 'webhook', id: webhook.id }} />
      </Panel>
    </>
  );
}

/** Host and beginning of the path of an address, because its end may contain a token. */
function addressWithoutToken(address: string): string {
  if (!URL.canParse(address)) return words.title;
  const { host, pathname } = new URL(address);
  return pathname.length > SHOWN_PATH ? `${host}${pathname.slice(0, SHOWN_PATH)}…` : `${host}${pathname}`;
}
