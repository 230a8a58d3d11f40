import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ApiError, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Deliveries, deliveriesKey } from '../../components/deliveries.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts.ts';
import { RotateSecret, WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhooks-page.tsx';
import { type Webhook, webhookQuery } from './webhooks.ts';

const words = texts.webhooks;
const route = getRouteApi('/webhooks/$webhookId');

export function WebhookPage() {
  const { webhookId } = route.useParams();
  const { workspace_id } = useSession();
  const webhook = useQuery(webhookQuery(workspace_id, webhookId));
  const isUnknown = webhook.error instanceof ApiError && [400, 404].includes(webhook.error.status);
  return (
    <Page title={webhook.data?.url ?? words.title}>
      <Link to="/webhooks" className="mb-4 -mt-3 inline-block text-sm text-accent">
        {words.back}
      </Link>
      {isUnknown ? (
        <Empty title={words.notFound} />
      ) : (
        <QueryView query={webhook}>{(data) => <WebhookView webhook={data} />}</QueryView>
      )}
    </Page>
  );
}

function WebhookView({ webhook }: { webhook: Webhook }) {
  const session = useSession();
  return (
    <>
      <Panel title={words.details} actions={session.allows('write') && <WebhookActions webhook={webhook} />}>
        <Facts
          facts={[
            [words.state, <WebhookState webhook={webhook} />],
            [words.events, webhook.events.map((type) => words.eventNames[type]).join(', ')],
            [
              words.lastAttempt,
              webhook.last_triggered_at === null ? (
                texts.common.never
              ) : (
                <Time at={webhook.last_triggered_at} />
              ),
            ],
            [words.created, <Time at={webhook.created_at} />],
            [words.id, <span className="font-mono text-[13px]">{webhook.id}</span>],
          ]}
        />
      </Panel>
      <Panel title={texts.deliveries.title}>
        <Deliveries destination={{ kind: 'webhook', id: webhook.id }} />
      </Panel>
    </>
  );
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const path = { workspace_id, webhook_id: webhook.id };
  const refresh = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const toggle = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
          params: { path },
          body: { is_active: !webhook.is_active },
        }),
      ),
    onSuccess: refresh,
  });
  const test = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}/test', { params: { path } })),
    onSuccess: () =>
      client.invalidateQueries({ queryKey: deliveriesKey({ kind: 'webhook', id: webhook.id }) }),
  });
  const error = toggle.error ?? test.error;
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="primary" disabled={test.isPending} onClick={() => test.mutate()}>
        {words.test}
      </Button>
      <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {webhook.is_active ? words.pause : words.resume}
      </Button>
      <Button onClick={() => setDialog('edit')}>{words.edit}</Button>
      <Button onClick={() => setDialog('rotate')}>{words.rotate}</Button>
      <Button look="danger" onClick={() => setDialog('delete')}>
        {words.delete}
      </Button>
      {error && <ErrorNote error={error} />}
      {dialog === 'edit' && <WebhookForm webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'rotate' && <RotateSecret webhook={webhook} onClose={() => setDialog(null)} />}
      {dialog === 'delete' && (
        <Confirm
          title={words.deleteTitle}
          text={words.deleteText}
          action={words.delete}
          run={async () => {
            await dataOf(
              api.DELETE('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', { params: { path } }),
            );
            await navigate({ to: '/webhooks' });
            await refresh();
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  );
}
