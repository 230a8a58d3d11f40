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
import { EVENT_TYPES, type EventType, newSecret, type Webhook } from './webhooks.ts';

const words = texts.webhooks;
const MAX_SECRET_LENGTH = 255;

/** Creates a webhook with a new signing secret, which is shown once, or changes one, whose secret stays. */
export function WebhookForm({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly EventType[]>(
    webhook?.events ?? ['job.completed', 'job.failed'],
  );
  const [idempotencyKey] = useState(newIdempotencyKey);
  const [secret] = useState(newSecret);
  const [ownSecret, setOwnSecret] = useState('');
  const save = useMutation({
    mutationFn: () =>
      webhook === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/webhooks', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': idempotencyKey } },
              body: { url, events: [...events], secret: ownSecret || secret },
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
              params: { path: { workspace_id, webhook_id: webhook.id } },
              body: { url, events: [...events] },
            }),
          ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['webhooks'] });
      if (webhook !== null || ownSecret !== '') onClose();
    },
  });
  if (webhook === null && save.isSuccess)
    return (
      <SecretOnce
        title={words.secretTitle}
        text={words.secretText}
        label={words.secret}
        value={secret}
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
      {webhook === null && <OwnSecretField error={save.error} value={ownSecret} onChange={setOwnSecret} />}
    </FormModal>
  );
}

/** A secret that other programs know already. It is not shown again. */
function OwnSecretField({
  error,
  value,
  onChange,
}: {
  error: Error | null;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextField
      label={words.ownSecret}
      hint={words.ownSecretHint}
      error={fieldError(error, 'secret')}
      type="password"
      autoComplete="off"
      maxLength={MAX_SECRET_LENGTH}
      value={value}
      onChange={onChange}
    />
  );
}

/** Replaces the signing secret after a question, and shows the new one once. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { workspace_id } = useSession();
  const [secret] = useState(newSecret);
  const [ownSecret, setOwnSecret] = useState('');
  const rotate = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
          params: { path: { workspace_id, webhook_id: webhook.id } },
          body: { secret: ownSecret || secret },
        }),
      ),
    onSuccess: () => {
      if (ownSecret !== '') onClose();
    },
  });
  if (rotate.isSuccess)
    return (
      <SecretOnce
        title={words.secretTitle}
        text={`${words.secretText} ${words.rotated}`}
        label={words.secret}
        value={secret}
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
      <p className="text-sm text-muted">{words.rotateText}</p>
      <OwnSecretField error={rotate.error} value={ownSecret} onChange={setOwnSecret} />
    </FormModal>
  );
}
