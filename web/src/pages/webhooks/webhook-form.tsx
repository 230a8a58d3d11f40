import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { Checkbox, TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import { firstSigning, secretOf, SigningFields } from './signing-fields.tsx';
import { EVENT_TYPES, type EventType, type Webhook } from './webhooks.ts';
import { keys } from '../../api/keys.ts';

const words = texts.webhooks;

/** Creates a webhook and shows a new signing secret once, or changes one and keeps its secret. */
export function WebhookForm({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly EventType[]>(
    webhook?.events ?? ['job.completed', 'job.failed'],
  );
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [signing, setSigning] = useState(firstSigning);
  const secret = secretOf(signing);
  const save = useMutation({
    mutationFn: () =>
      webhook === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/webhooks', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
              body: { url, events: [...events], ...(secret !== null && { secret }) },
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
              params: { path: { workspace_id, webhook_id: webhook.id } },
              body: { url, events: [...events] },
            }),
          ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.allWebhooks() });
      if (webhook !== null || signing.kind !== 'new') onClose();
    },
  });
  if (webhook === null && save.isSuccess)
    return (
      <SecretOnce
        title={words.secretTitle}
        text={words.secretText}
        label={words.secret}
        value={signing.generated}
        onClose={onClose}
      />
    );
  return (
    <FormModal
      title={webhook === null ? words.create : words.editTitle}
      mutation={save}
      submit={webhook === null ? words.submit : words.save}
      submitting={words.submitting}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={words.url}
        hint={words.urlHint}
        error={fieldError(save.error, 'url')}
        type="url"
        required
        maxLength={2048}
        value={url}
        onChange={setUrl}
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">{words.events}</legend>
        {EVENT_TYPES.map((type) => (
          <Checkbox
            key={type}
            label={`${words.eventNames[type]} (${type})`}
            checked={events.includes(type)}
            onChange={({ target }) =>
              setEvents(EVENT_TYPES.filter((one) => (one === type ? target.checked : events.includes(one))))
            }
          />
        ))}
      </fieldset>
      {webhook === null && <SigningFields signing={signing} error={save.error} onChange={setSigning} />}
    </FormModal>
  );
}

/** Replaces the signing secret and shows a new one once, or stops signing. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { workspace_id } = useSession();
  const [signing, setSigning] = useState(firstSigning);
  const rotate = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
          params: { path: { workspace_id, webhook_id: webhook.id } },
          body: { secret: secretOf(signing) },
        }),
      ),
    onSuccess: () => {
      if (signing.kind !== 'new') onClose();
    },
  });
  if (rotate.isSuccess)
    return (
      <SecretOnce
        title={words.secretTitle}
        text={`${words.secretText} ${words.rotated}`}
        label={words.secret}
        value={signing.generated}
        onClose={onClose}
      />
    );
  return (
    <FormModal
      title={words.rotateTitle}
      mutation={rotate}
      submit={words.rotate}
      submitting={words.submitting}
      onSubmit={() => rotate.mutate()}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{signing.kind === 'none' ? words.unsignText : words.rotateText}</p>
      <SigningFields signing={signing} error={rotate.error} onChange={setSigning} />
    </FormModal>
  );
}
