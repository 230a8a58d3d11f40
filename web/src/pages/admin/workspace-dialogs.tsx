import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { Scope } from '../../api/session.ts';
import { TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { ScopeField } from '../../components/scope-field.tsx';
import { KeyOnce } from '../../components/secret-once.tsx';
import { texts } from '../../texts.ts';
import type { AdminWorkspace } from './admin-queries.ts';
import { keys } from '../../api/keys.ts';

const words = texts.admin.workspace;
const keyWords = texts.settings.keys;

interface DialogProps {
  workspace: AdminWorkspace;
  onClose: () => void;
}

/** Executes an irreversible action once the name of the workspace has been typed. */
function TypedConfirm({
  workspace,
  title,
  submit,
  run,
  onClose,
  children,
}: DialogProps & { title: string; submit: string; run: () => Promise<unknown>; children: ReactNode }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const mutation = useMutation({
    mutationFn: run,
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.admin() });
      onClose();
    },
  });
  return (
    <FormModal
      title={title}
      mutation={mutation}
      submit={submit}
      submitting={submit}
      isDanger
      isReady={typed === workspace.name}
      onSubmit={() => mutation.mutate()}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{children}</p>
      <TextField
        label={words.typeName(workspace.name)}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={setTyped}
      />
    </FormModal>
  );
}

/** Deletes a workspace once its name has been typed. */
export function DeleteWorkspace({ onDeleted, ...dialog }: DialogProps & { onDeleted: () => void }) {
  const { workspace } = dialog;
  return (
    <TypedConfirm
      {...dialog}
      title={words.deleteTitle(workspace.name)}
      submit={words.deleteForever}
      run={async () => {
        await dataOf(
          api.DELETE('/api/v1/admin/workspaces/{workspace_id}', {
            params: { path: { workspace_id: workspace.id } },
          }),
        );
        onDeleted();
      }}
    >
      {words.deleteText}
    </TypedConfirm>
  );
}

/** Deletes the data of a workspace once its name has been typed. */
export function ResetWorkspace(dialog: DialogProps) {
  const { workspace } = dialog;
  return (
    <TypedConfirm
      {...dialog}
      title={words.resetTitle(workspace.name)}
      submit={words.reset}
      run={() =>
        dataOf(
          api.POST('/api/v1/admin/workspaces/{workspace_id}/reset', {
            params: { path: { workspace_id: workspace.id } },
          }),
        )
      }
    >
      {words.resetText}
    </TypedConfirm>
  );
}

/** Changes the name of a workspace. */
export function RenameWorkspace({ workspace, onClose }: DialogProps) {
  const client = useQueryClient();
  const [name, setName] = useState(workspace.name);
  const rename = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
          body: { name },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.admin() });
      onClose();
    },
  });
  return (
    <FormModal
      title={words.renameTitle(workspace.name)}
      mutation={rename}
      submit={words.save}
      submitting={words.saving}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <NameField error={rename.error} value={name} onChange={setName} />
    </FormModal>
  );
}

/** Creates a key for a workspace whose keys are lost, and shows it once. */
export function RecoverKey({ workspace, onClose }: DialogProps) {
  const [name, setName] = useState<string>(words.recoveryName);
  const [scope, setScope] = useState<Scope>('admin');
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/admin/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id: workspace.id } },
          body: { name, scopes: [scope] },
        }),
      ),
    gcTime: 0,
  });
  if (create.data !== undefined) return <KeyOnce value={create.data.key} onClose={onClose} />;
  return (
    <FormModal
      title={words.recover}
      mutation={create}
      submit={keyWords.submit}
      submitting={keyWords.submitting}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{words.recoverText}</p>
      <NameField error={create.error} value={name} onChange={setName} />
      <ScopeField value={scope} onChange={setScope} />
    </FormModal>
  );
}

/** Revokes a key by its id, which is shown in the audit log. */
export function RevokeKey({ workspace, onClose }: DialogProps) {
  const client = useQueryClient();
  const [keyId, setKeyId] = useState('');
  const revoke = useMutation({
    mutationFn: () =>
      dataOf(
        api.DELETE('/api/v1/admin/workspaces/{workspace_id}/api-keys/{key_id}', {
          params: { path: { workspace_id: workspace.id, key_id: keyId.trim() } },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.adminAudits() });
      onClose();
    },
  });
  return (
    <FormModal
      title={words.revokeKey}
      mutation={revoke}
      submit={keyWords.revoke}
      submitting={keyWords.revoke}
      isDanger
      onSubmit={() => revoke.mutate()}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{keyWords.revokeText}</p>
      <TextField
        label={words.keyId}
        hint={words.keyIdHint}
        required
        placeholder="key_…"
        className="font-mono"
        autoComplete="off"
        spellCheck={false}
        value={keyId}
        onChange={setKeyId}
      />
    </FormModal>
  );
}
