import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { newIdempotencyKey } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import { SelectField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { ScopeField } from '../../components/scope-field.tsx';
import { KeyOnce } from '../../components/secret-once.tsx';
import { fieldError } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import { type ApiKey, keysQuery } from './api-key-queries.ts';

const words = texts.settings.keys;
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
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ApiKey['scopes'][number]>('read');
  const [lifetime, setLifetime] = useState<Lifetime>('');
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id } },
          body: { name, scopes: [scope], ...expiryOf(lifetime) },
        }),
      ),
    onSuccess: () => client.invalidateQueries(keysQuery(workspace_id)),
    gcTime: 0,
  });
  if (create.data !== undefined) return <KeyOnce value={create.data.key} onClose={onClose} />;
  return (
    <FormModal
      title={words.create}
      mutation={create}
      submit={words.submit}
      submitting={words.submitting}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <NameField hint={words.nameHint} error={create.error} value={name} onChange={setName} />
      <ScopeField value={scope} onChange={setScope} />
      <LifetimeField value={lifetime} error={create.error} onChange={setLifetime} />
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
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const [lifetime, setLifetime] = useState<Lifetime>('');
  const [idempotencyKey] = useState(newIdempotencyKey);
  const roll = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/api-keys/{key_id}/roll', {
          params: {
            path: { workspace_id, key_id: apiKey.id },
            header: { 'Idempotency-Key': idempotencyKey },
          },
          body: { overlap_seconds: Number(overlap), ...expiryOf(lifetime) },
        }),
      ),
    // If the session's own key ended immediately, the session is over; the list is therefore reloaded after the new key
    // was shown.
    onSuccess: () =>
      isOwn && overlap === '0' ? undefined : client.invalidateQueries(keysQuery(workspace_id)),
    gcTime: 0,
  });
  if (roll.data !== undefined)
    return (
      <KeyOnce
        value={roll.data.key}
        onClose={() => {
          onClose();
          void client.invalidateQueries(keysQuery(workspace_id));
        }}
      />
    );
  return (
    <FormModal
      title={words.rollTitle(apiKey.name)}
      mutation={roll}
      submit={words.roll}
      submitting={words.submitting}
      onSubmit={() => roll.mutate()}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{words.rollText}</p>
      <SelectField
        label={words.overlap}
        hint={isOwn ? words.overlapOwn : undefined}
        error={fieldError(roll.error, 'overlap_seconds')}
        value={overlap}
        options={OVERLAPS.map((seconds) => [seconds, words.overlaps[seconds]] as const)}
        onChange={setOverlap}
      />
      <LifetimeField value={lifetime} error={roll.error} onChange={setLifetime} />
    </FormModal>
  );
}
