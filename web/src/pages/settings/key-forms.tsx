import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { SelectField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { ScopeField } from '../../components/scope-field.tsx';
import { KeyOnce } from '../../components/secret-once.tsx';
import { fieldError } from '../../components/states.tsx';
import { useForm } from '../../components/use-form.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { type ApiKey, keysQuery } from './api-key-queries.ts';

const words = settingsTexts.keys;
const DAY_MS = 86_400_000;

/** Days after which a new key expires; empty for a key that does not expire. */
const LIFETIMES = ['', '7', '30', '90', '365'] as const;
type Lifetime = (typeof LIFETIMES)[number];

/** Seconds for which a replaced key stays valid. */
const OVERLAPS = ['0', '3600', '86400', '604800'] as const;
type Overlap = (typeof OVERLAPS)[number];

function LifetimeField({
  value,
  error,
  onChange,
}: {
  value: Lifetime;
  error: Error | null;
  onChange: (value: Lifetime) => void;
}) {
  return (
    <SelectField
      label={words.lifetime}
      error={fieldError(error, 'expires_at')}
      value={value}
      options={LIFETIMES.map((days) => [days, words.lifetimes[days]] as const)}
      onChange={onChange}
    />
  );
}

const expiryOf = (days: Lifetime): { expires_at?: string } =>
  days === '' ? {} : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };

/** Creates a key and shows its value once; closing the dialog removes it from the page. */
export function CreateKey({ onClose }: { onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const form = useForm({
    draft: `key ${workspace_id}`,
    initial: { name: '', scope: 'read' as ApiKey['scopes'][number], lifetime: '' as Lifetime },
    send: ({ name, scope, lifetime }) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id } },
          body: { name, scopes: [scope], ...expiryOf(lifetime) },
        }),
      ),
    onSent: () => client.invalidateQueries(keysQuery(workspace_id)),
  });
  if (form.result !== undefined) return <KeyOnce value={form.result.key} onClose={onClose} />;
  const { value, error, change } = form;
  return (
    <FormModal title={words.create} form={form} words={words} onClose={onClose}>
      <NameField
        hint={words.nameHint}
        error={error}
        value={value.name}
        onChange={(name) => change({ name })}
      />
      <ScopeField value={value.scope} onChange={(scope) => change({ scope })} />
      <LifetimeField value={value.lifetime} error={error} onChange={(lifetime) => change({ lifetime })} />
    </FormModal>
  );
}

/** Replaces a key by one with the same name and scopes, which is shown once; the former key stays valid for a while. */
export function RollKey({
  apiKey,
  isOwn,
  onClose,
}: {
  apiKey: ApiKey;
  /** Whether the session was opened with this key. */
  isOwn: boolean;
  onClose: () => void;
}) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const form = useForm({
    initial: { overlap: '86400' as Overlap, lifetime: '' as Lifetime },
    send: ({ overlap, lifetime }, key) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/api-keys/{key_id}/roll', {
          params: {
            path: { workspace_id, key_id: apiKey.id },
            header: { 'Idempotency-Key': key },
          },
          body: { overlap_seconds: Number(overlap), ...expiryOf(lifetime) },
        }),
      ),
    // If the session's own key ended immediately, the session is over; the list is therefore reloaded after the new key
    // was shown.
    onSent: (_key, { overlap }) =>
      isOwn && overlap === '0' ? undefined : client.invalidateQueries(keysQuery(workspace_id)),
  });
  if (form.result !== undefined)
    return (
      <KeyOnce
        value={form.result.key}
        onClose={() => {
          onClose();
          void client.invalidateQueries(keysQuery(workspace_id));
        }}
      />
    );
  const { value, error, change } = form;
  return (
    <FormModal
      title={words.rollTitle(apiKey.name)}
      form={form}
      words={{ submit: words.roll, submitting: words.submitting }}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{words.rollText}</p>
      <SelectField
        label={words.overlap}
        hint={isOwn ? words.overlapOwn : undefined}
        error={form.errorOf('overlap_seconds')}
        value={value.overlap}
        options={OVERLAPS.map((seconds) => [seconds, words.overlaps[seconds]] as const)}
        onChange={(overlap) => change({ overlap })}
      />
      <LifetimeField value={value.lifetime} error={error} onChange={(lifetime) => change({ lifetime })} />
    </FormModal>
  );
}
