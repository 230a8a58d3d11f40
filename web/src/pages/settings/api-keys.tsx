import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { type Scope, useSession } from '../../api/session.ts';
import { Button, Field, inputClass } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Modal } from '../../components/modal.tsx';
import { Panel } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Empty, ErrorNote, fieldError, Loading } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts.ts';

const words = texts.settings.keys;
const SCOPES: Scope[] = ['read', 'write', 'admin'];

const keysQuery = (workspace_id: string) =>
  queryOptions({
    queryKey: ['api-keys', workspace_id],
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/api-keys', { params: { path: { workspace_id } } })),
  });

export function ApiKeys({ creating, onCreating }: { creating: boolean; onCreating: (on: boolean) => void }) {
  const session = useSession();
  const keys = useQuery(keysQuery(session.workspace_id));
  const [revoking, setRevoking] = useState<Schemas['ApiKeyDto']>();
  const client = useQueryClient();
  const mayManage = session.allows('admin');
  return (
    <Panel
      title={words.title}
      actions={
        mayManage ? (
          <Button look="primary" onClick={() => onCreating(true)}>
            {words.create}
          </Button>
        ) : (
          <p className="text-[13px] text-muted">{texts.common.needsScope('admin')}</p>
        )
      }
    >
      {keys.error ? (
        <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.isPending ? (
        <Loading />
      ) : keys.data.length === 0 ? (
        <Empty title={words.empty} />
      ) : (
        <ul className="divide-y divide-line">
          {keys.data.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              isOwn={key.key_prefix === session.key_prefix}
              onRevoke={mayManage ? () => setRevoking(key) : undefined}
            />
          ))}
        </ul>
      )}
      {creating && <CreateKey onClose={() => onCreating(false)} />}
      {revoking !== undefined && (
        <Confirm
          title={words.revokeTitle(revoking.name)}
          text={`${words.revokeText} ${revoking.key_prefix === session.key_prefix ? words.revokeOwn : ''}`}
          action={words.revoke}
          run={async () => {
            await dataOf(
              api.DELETE('/api/v1/workspaces/{workspace_id}/api-keys/{key_id}', {
                params: { path: { workspace_id: session.workspace_id, key_id: revoking.id } },
              }),
            );
            await client.invalidateQueries(keysQuery(session.workspace_id));
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Panel>
  );
}

function KeyRow({
  apiKey: key,
  isOwn,
  onRevoke,
}: {
  apiKey: Schemas['ApiKeyDto'];
  isOwn: boolean;
  onRevoke: (() => void) | undefined;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          {key.name} {isOwn && <span className="font-normal text-muted">({words.own})</span>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
          <span className="font-mono">{key.key_prefix}…</span>
          <span>{key.scopes.map((scope) => words.scopeNames[scope]).join(', ')}</span>
          <span>
            {words.created} <Time at={key.created_at} />
          </span>
          <span>
            {words.lastUsed} {key.last_used_at === null ? texts.common.never : <Time at={key.last_used_at} />}
          </span>
        </p>
      </div>
      {key.is_active ? (
        onRevoke && (
          <Button look="danger" aria-label={words.revokeKey(key.name)} onClick={onRevoke}>
            {words.revoke}
          </Button>
        )
      ) : (
        <span className="text-muted">{words.revoked}</span>
      )}
    </li>
  );
}

/** Creates a key and shows its value once; closing the dialog removes it from the page. */
function CreateKey({ onClose }: { onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<Scope>('read');
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id } },
          body: { name, scopes: [scope] },
        }),
      ),
    onSuccess: () => client.invalidateQueries(keysQuery(workspace_id)),
    gcTime: 0,
  });
  if (create.data !== undefined)
    return (
      <SecretOnce
        title={words.createdTitle}
        text={words.createdText}
        label={words.value}
        value={create.data.key}
        onClose={onClose}
      />
    );
  return (
    <Modal title={words.create} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label={words.name} hint={words.nameHint} error={fieldError(create.error, 'name')}>
          {(control) => (
            <input
              {...control}
              className={inputClass}
              required
              maxLength={255}
              autoComplete="off"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <fieldset className="space-y-1">
          <legend className="mb-1 text-sm font-medium">{words.scope}</legend>
          {SCOPES.map((one) => (
            <label key={one} className="flex gap-2 rounded-lg px-1 py-1.5 text-sm hover:bg-raised">
              <input
                type="radio"
                name="scope"
                className="mt-0.5 size-4 accent-accent"
                checked={scope === one}
                onChange={() => setScope(one)}
              />
              {words.scopes[one]}
            </label>
          ))}
        </fieldset>
        <FormActions
          mutation={create}
          submit={words.submit}
          submitting={words.submitting}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
