import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../components/card.tsx';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { useInView } from '../../components/in-view.ts';
import { ResultBars, useDeliveryHealth } from '../../components/recent-results.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { deleteWebhook, setWebhookActive, type Webhook, webhooksQuery } from './webhooks.ts';

const words = webhooksTexts;
const route = getRouteApi('/webhooks');

export function WebhooksPage() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return (
    <ListPage
      words={words}
      query={useQuery(webhooksQuery(workspace_id))}
      creating={create !== undefined}
      nameOf={({ url }) => url}
      bulk={{
        setActive: ({ id }, isActive) => setWebhookActive(workspace_id, id, isActive),
        remove: ({ id }) => deleteWebhook(workspace_id, id),
        refresh: () => client.invalidateQueries({ queryKey: keys.allWebhooks() }),
        deleted: words.deletedAll,
      }}
      form={<WebhookForm webhook={null} onClose={() => void navigate({ search: {}, replace: true })} />}
      onCreate={() => void navigate({ search: { create: 'yes' } })}
    >
      {(webhook, checkbox) => <WebhookCard key={webhook.id} webhook={webhook} checkbox={checkbox} />}
    </ListPage>
  );
}

function WebhookCard({ webhook, checkbox }: { webhook: Webhook; checkbox: ReactNode }) {
  const session = useSession();
  const [ref, wasSeen] = useInView<HTMLLIElement>();
  const health = useDeliveryHealth({ kind: 'webhook', id: webhook.id }, wasSeen);
  return (
    <Card as="li" ref={ref} className="p-4 [overflow-wrap:anywhere]">
      <div className="relative flex items-start gap-3">
        {checkbox}
        <div className="min-w-0 flex-1">
          <h2 className="font-semibold">
            <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} className="text-accent">
              {webhook.url}
            </Link>
          </h2>
          <p className="mt-1 text-sm">{webhook.events.map((type) => words.eventNames[type]).join(', ')}</p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 text-[13px] text-muted">
            <WebhookState webhook={webhook} />
            {health !== undefined && <ResultBars outcomes={health.outcomes} />}
            <span>
              {words.lastAttempt}{' '}
              {webhook.last_triggered_at === null ? (
                commonTexts.never
              ) : (
                <Time at={webhook.last_triggered_at} />
              )}
            </span>
          </p>
          {(webhook.is_active || webhook.failure_count > 0) && health?.reason != null && (
            <p className="mt-1 text-sm text-bad">{health.reason}</p>
          )}
        </div>
        {session.allows('write') && <WebhookActions webhook={webhook} name={webhook.url} />}
      </div>
    </Card>
  );
}

/** Whether a webhook receives events, and whether its attempts are currently failing. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  const failures = formatNumber(webhook.failure_count);
  if (!webhook.is_active)
    return webhook.failure_count === 0 ? (
      <StatusDot tone="warn">{words.paused}</StatusDot>
    ) : (
      <StatusDot tone="bad">{words.stopped(failures)}</StatusDot>
    );
  if (webhook.failure_count === 0) return <StatusDot tone="good">{words.active}</StatusDot>;
  return <StatusDot tone="bad">{words.failing(failures)}</StatusDot>;
}
