import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { WebhookForm } from './webhook-form.tsx';
import { type Webhook, webhooksQuery } from './webhooks.ts';

const words = texts.webhooks;
const route = getRouteApi('/webhooks');

export function WebhooksPage() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const session = useSession();
  const webhooks = useQuery(webhooksQuery(session.workspace_id));
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
      <QueryView query={webhooks}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={words.empty} hint={words.emptyHint} />
          ) : (
            <ul className="space-y-3">
              {items.map((webhook) => (
                <WebhookCard key={webhook.id} webhook={webhook} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {create !== undefined && session.allows('write') && (
        <WebhookForm webhook={null} onClose={() => void navigate({ search: {}, replace: true })} />
      )}
    </Page>
  );
}

function WebhookCard({ webhook }: { webhook: Webhook }) {
  return (
    <li className="rounded-xl border border-line bg-surface p-4 [overflow-wrap:anywhere]">
      <h2 className="font-semibold">
        <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} className="text-accent">
          {webhook.url}
        </Link>
      </h2>
      <p className="mt-1 text-sm">{webhook.events.map((type) => words.eventNames[type]).join(', ')}</p>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
        <WebhookState webhook={webhook} />
        <span>
          {words.lastAttempt}{' '}
          {webhook.last_triggered_at === null ? texts.common.never : <Time at={webhook.last_triggered_at} />}
        </span>
      </p>
    </li>
  );
}

/** Whether a webhook receives events, and whether its attempts fail at present. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (!webhook.is_active) return <StatusDot tone="warn">{words.paused}</StatusDot>;
  if (webhook.failure_count === 0) return <StatusDot tone="good">{words.active}</StatusDot>;
  return <StatusDot tone="bad">{words.failing(formatNumber(webhook.failure_count))}</StatusDot>;
}
