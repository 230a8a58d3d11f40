import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { RecordActions } from '../../components/record-actions.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { RotateSecret, WebhookForm } from './webhook-form.tsx';
import { deleteWebhook, setWebhookActive, type Webhook } from './webhooks.ts';

const words = webhooksTexts;

/** What can be done with a webhook: as buttons on its page, as a menu in the list, where it has a name. */
export function WebhookActions({
  webhook,
  name,
  onDeleted,
}: {
  webhook: Webhook;
  name?: string;
  onDeleted?: () => void;
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [rotating, setRotating] = useState(false);
  const path = { workspace_id, webhook_id: webhook.id };
  const refresh = () => client.invalidateQueries({ queryKey: keys.allWebhooks() });
  const isMenu = name !== undefined;
  return (
    <div className="flex flex-wrap gap-2">
      <RecordActions
        words={words}
        id={webhook.id}
        {...(isMenu && { name, isMenu })}
        isActive={webhook.is_active}
        deleted={words.deleted}
        action={{
          text: words.test,
          look: 'primary',
          run: async () => {
            await dataOf(
              api.POST('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}/test', { params: { path } }),
            );
            await client.invalidateQueries({
              queryKey: keys.deliveries({ kind: 'webhook', id: webhook.id }),
            });
          },
        }}
        form={(onClose) => <WebhookForm webhook={webhook} onClose={onClose} />}
        onToggle={async () => {
          await setWebhookActive(workspace_id, webhook.id, !webhook.is_active);
          await refresh();
        }}
        onDelete={async () => {
          await deleteWebhook(workspace_id, webhook.id);
          await refresh();
        }}
        {...(onDeleted && { onDeleted })}
      >
        {!isMenu && <Button onClick={() => setRotating(true)}>{words.rotate}</Button>}
      </RecordActions>
      {rotating && <RotateSecret webhook={webhook} onClose={() => setRotating(false)} />}
    </div>
  );
}
