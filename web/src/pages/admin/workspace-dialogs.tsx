import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, dataOf } from '../../api/client.ts';
import type { Scope } from '../../api/session.ts';
import { TextField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { ScopeField } from '../../components/scope-field.tsx';
import { KeyOnce } from '../../components/secret-once.tsx';
import { useForm } from '../../components/use-form.ts';
import { adminTexts } from '../../texts/admin.ts';
import { settingsTexts } from '../../texts/settings.ts';
import type { AdminWorkspace } from './admin-queries.ts';
import { keys } from '../../api/keys.ts';

const words = adminTexts.workspace;
const keyWords = settingsTexts.keys;

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
  const form = useForm({
    initial: { typed: '' },
    send: run,
    onSent: () => {
      void client.invalidateQueries({ queryKey: keys.admin() });
      onClose();
    },
  });
  return (
    <FormModal
      title={title}
      form={form}
      words={{ submit, submitting: submit }}
      isDanger
      isReady={form.value.typed === workspace.name}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{children}</p>
      <TextField
        label={words.typeName(workspace.name)}
        autoComplete="off"
        spellCheck={false}
        value={form.value.typed}
        onChange={(typed) => form.change({ typed })}
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
  const form = useForm({
    initial: { name: workspace.name },
    send: (body) =>
      dataOf(
        api.PATCH('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
          body,
        }),
      ),
    onSent: async () => {
      await client.invalidateQueries({ queryKey: keys.admin() });
      onClose();
    },
  });
  return (
    <FormModal
      title={words.renameTitle(workspace.name)}
      form={form}
      words={{ submit: words.save, submitting: words.saving }}
      onClose={onClose}
    >
      <NameField error={form.error} value={form.value.name} onChange={(name) => form.change({ name })} />
    </FormModal>
  );
}

/** Creates a key for a workspace whose keys are lost, and shows it once. */
export function RecoverKey({ workspace, onClose }: DialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { name: words.recoveryName as string, scope: 'admin' as Scope },
    send: ({ name, scope }) =>
      dataOf(
        api.POST('/api/v1/admin/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id: workspace.id } },
          body: { name, scopes: [scope] },
        }),
      ),
    onSent: () => client.invalidateQueries({ queryKey: keys.adminWorkspaceKeys(workspace.id) }),
  });
  if (form.result !== undefined) return <KeyOnce value={form.result.key} onClose={onClose} />;
  return (
    <FormModal title={words.recover} form={form} words={keyWords} onClose={onClose}>
      <p className="text-sm text-muted">{words.recoverText}</p>
      <NameField error={form.error} value={form.value.name} onChange={(name) => form.change({ name })} />
      <ScopeField value={form.value.scope} onChange={(scope) => form.change({ scope })} />
    </FormModal>
  );
}
