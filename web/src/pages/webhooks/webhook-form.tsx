import { useQueryClient } from '@tanstack/react-query';
import { KINDS } from '../../api/kinds.ts';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Checkbox, TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useForm } from '../../components/use-form.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { asksSecret, credentialOf, firstSigning, secretOf, type Signing, signingOf } from './signing.ts';
import { SigningFields } from './signing-fields.tsx';
import type { EventType, Webhook } from './webhooks.ts';
import { keys } from '../../api/keys.ts';

const words = webhooksTexts;

function useWebhookForm(webhook: Webhook | null, onClose: () => void) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return useForm({
    draft: `webhook ${workspace_id} ${webhook?.id ?? ''}`,
    initial: () => ({
      url: webhook?.url ?? '',
      events: webhook?.events ?? (['job.completed', 'job.failed'] as readonly EventType[]),
      signing: firstSigning(),
    }),
    send: (value, key) => {
      const changes = { url: value.url, events: [...value.events] };
      const secret = secretOf(signingOf(value.url, value.signing));
      return webhook === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/webhooks', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
              body: { ...changes, ...(secret !== null && { secret }) },
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
              params: { path: { workspace_id, webhook_id: webhook.id } },
              body: { ...changes, ...(asksSecret(webhook, value.url) && { secret }) },
            }),
          );
    },
    onSent: async (_webhook, value) => {
      await client.invalidateQueries({ queryKey: keys.allWebhooks() });
      if (webhook !== null || signingOf(value.url, value.signing).kind !== 'new') onClose();
    },
  });
}

/** Creates a webhook and shows a new signing secret once, or changes one, whose secret stays that of its address. */
export function WebhookForm({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const form = useWebhookForm(webhook, onClose);
  const { url, events, signing } = form.value;
  if (webhook === null && form.result !== undefined)
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
      form={form}
      words={{ submit: webhook === null ? words.submit : words.save, submitting: words.submitting }}
      onClose={onClose}
    >
      <TextField
        label={words.url}
        hint={words.urlHint}
        error={form.errorOf('url')}
        type="url"
        required
        maxLength={2048}
        value={url}
        onChange={(text) => form.change({ url: text })}
      />
      <fieldset>
        <legend className="mb-1 text-sm font-medium">{words.events}</legend>
        {KINDS.lists.events.map((type) => (
          <Checkbox
            key={type}
            label={`${words.eventNames[type]} (${type})`}
            checked={events.includes(type)}
            onChange={({ target: { checked } }) =>
              form.change({
                events: KINDS.lists.events.filter((one) => (one === type ? checked : events.includes(one))),
              })
            }
          />
        ))}
      </fieldset>
      {asksSecret(webhook, url) && (
        <SigningFields
          url={url}
          signing={signing}
          error={form.error}
          onChange={(changed) => form.change({ signing: changed })}
        />
      )}
    </FormModal>
  );
}

/** Replaces the signing secret and shows a new one once, or stops signing. */
export function RotateSecret({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { workspace_id } = useSession();
  const form = useForm({
    initial: () => ({ signing: firstSigning() }),
    send: (value) =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/webhooks/{webhook_id}', {
          params: { path: { workspace_id, webhook_id: webhook.id } },
          body: { secret: secretOf(signingOf(webhook.url, value.signing)) },
        }),
      ),
    onSent: (_webhook, value) => {
      if (signingOf(webhook.url, value.signing).kind !== 'new') onClose();
    },
  });
  const { signing } = form.value;
  if (form.result !== undefined)
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
      form={form}
      words={{ submit: words.rotate, submitting: words.submitting }}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{rotationText(webhook.url, signing.kind)}</p>
      <SigningFields
        url={webhook.url}
        signing={signing}
        error={form.error}
        onChange={(changed) => form.change({ signing: changed })}
      />
    </FormModal>
  );
}

function rotationText(url: string, kind: Signing['kind']): string {
  if (credentialOf(url) !== null) return words.credentialText;
  return kind === 'none' ? words.unsignText : words.rotateText;
}
