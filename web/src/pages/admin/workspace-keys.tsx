import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Button } from '../../components/controls.tsx';
import { KeyRow, RevokeButton } from '../../components/key-facts.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { adminTexts } from '../../texts/admin.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { type AdminWorkspace, workspaceKeysQuery } from './admin-queries.ts';
import { RecoverKey } from './workspace-dialogs.tsx';

const words = settingsTexts.keys;

/** The keys of a workspace, valid ones first; each can be revoked, and one can be created for an operator. */
export function WorkspaceKeys({ workspace }: { workspace: AdminWorkspace }) {
  const [chosen, setChosen] = useState<Schemas['ApiKeyDto'] | 'new' | null>(null);
  const list = useQuery(workspaceKeysQuery(workspace.id));
  const close = (): void => setChosen(null);
  return (
    <Panel
      title={words.title}
      actions={<Button onClick={() => setChosen('new')}>{adminTexts.workspace.recover}</Button>}
    >
      <QueryView query={list}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ul
              className="max-h-96 divide-y divide-line overflow-y-auto"
              tabIndex={0}
              aria-label={words.title}
            >
              {items
                .toSorted((one, other) => Number(other.is_active) - Number(one.is_active))
                .map((key) => (
                  <KeyRow key={key.id} apiKey={key} className="py-2.5">
                    <RevokeButton apiKey={key} onClick={() => setChosen(key)} />
                  </KeyRow>
                ))}
            </ul>
          )
        }
      </QueryView>
      {chosen === 'new' && <RecoverKey workspace={workspace} onClose={close} />}
      {chosen !== null && chosen !== 'new' && (
        <RevokeKey workspace={workspace} apiKey={chosen} onClose={close} />
      )}
    </Panel>
  );
}

function RevokeKey({
  workspace: { id: workspace_id },
  apiKey: { id: key_id, name },
  onClose,
}: {
  workspace: AdminWorkspace;
  apiKey: Schemas['ApiKeyDto'];
  onClose: () => void;
}) {
  const client = useQueryClient();
  return (
    <Confirm
      title={words.revokeTitle(name)}
      text={words.revokeText}
      action={words.revoke}
      run={async () => {
        await dataOf(
          api.DELETE('/api/v1/admin/workspaces/{workspace_id}/api-keys/{key_id}', {
            params: { path: { workspace_id, key_id } },
          }),
        );
        await client.invalidateQueries({ queryKey: keys.adminWorkspaceKeys(workspace_id) });
        void client.invalidateQueries({ queryKey: keys.adminAudits() });
      }}
      onClose={onClose}
    />
  );
}
