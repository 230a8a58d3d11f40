import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Button } from '../../components/controls.tsx';
import { KeyFacts } from '../../components/key-facts.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { adminTexts } from '../../texts/admin.ts';
import { settingsTexts } from '../../texts/settings.ts';
import type { AdminWorkspace } from './admin-queries.ts';
import { RecoverKey } from './workspace-dialogs.tsx';

const words = settingsTexts.keys;

/** The keys of a workspace, valid ones first; each can be revoked, and one can be created for an operator. */
export function WorkspaceKeys({ workspace }: { workspace: AdminWorkspace }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<Schemas['ApiKeyDto'] | 'new' | null>(null);
  const path = { workspace_id: workspace.id };
  const queryKey = keys.adminWorkspaceKeys(workspace.id);
  const list = useQuery({
    queryKey,
    queryFn: () => dataOf(api.GET('/api/v1/admin/workspaces/{workspace_id}/api-keys', { params: { path } })),
  });
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
                  <li
                    key={key.id}
                    className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5 text-sm"
                  >
                    <KeyFacts apiKey={key} />
                    {key.is_active ? (
                      <Button
                        look="danger"
                        aria-label={words.revokeKey(key.name)}
                        onClick={() => setChosen(key)}
                      >
                        {words.revoke}
                      </Button>
                    ) : (
                      <span className="text-muted">{words.inactive}</span>
                    )}
                  </li>
                ))}
            </ul>
          )
        }
      </QueryView>
      {chosen === 'new' && <RecoverKey workspace={workspace} onClose={close} />}
      {chosen !== null && chosen !== 'new' && (
        <Confirm
          title={words.revokeTitle(chosen.name)}
          text={words.revokeText}
          action={words.revoke}
          run={async () => {
            await dataOf(
              api.DELETE('/api/v1/admin/workspaces/{workspace_id}/api-keys/{key_id}', {
                params: { path: { ...path, key_id: chosen.id } },
              }),
            );
            await client.invalidateQueries({ queryKey });
            void client.invalidateQueries({ queryKey: keys.adminAudits() });
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}
