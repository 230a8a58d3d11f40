import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Button, Field, inputClass } from '../../components/controls.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Modal } from '../../components/modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { texts } from '../../texts.ts';
import type { AdminWorkspace } from './admin-queries.ts';

const words = texts.admin.workspace;

/** Deletes a workspace once its name has been typed. */
export function DeleteWorkspace({
  workspace,
  onClose,
  onDeleted,
}: {
  workspace: AdminWorkspace;
  onClose: () => void;
  onDeleted: () => void;
}) {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () =>
      dataOf(
        api.DELETE('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
        }),
      ),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['admin'] });
      onClose();
      onDeleted();
    },
  });
  return (
    <Modal title={words.deleteTitle(workspace.name)} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed === workspace.name) remove.mutate();
        }}
      >
        <p className="text-sm text-muted">{words.deleteText}</p>
        <Field label={words.typeName(workspace.name)}>
          {(control) => (
            <input
              {...control}
              className={inputClass}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {remove.error && <ErrorNote error={remove.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{texts.common.cancel}</Button>
          <Button type="submit" look="danger" disabled={typed !== workspace.name || remove.isPending}>
            {words.deleteForever}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** Creates a key for a workspace whose keys are lost, and shows it once. */
export function RecoverKey({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const create = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/api/v1/admin/workspaces/{workspace_id}/api-keys', {
          params: { path: { workspace_id: workspaceId } },
          body: {},
        }),
      ),
    gcTime: 0,
  });
  if (create.data !== undefined)
    return (
      <SecretOnce
        title={texts.settings.keys.createdTitle}
        text={texts.settings.keys.createdText}
        label={texts.settings.keys.value}
        value={create.data.key}
        onClose={onClose}
      />
    );
  return (
    <Modal title={words.recover} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <p className="text-sm text-muted">{words.recoverText}</p>
        <FormActions
          mutation={create}
          submit={texts.settings.keys.submit}
          submitting={texts.settings.keys.submitting}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
