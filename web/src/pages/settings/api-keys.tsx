import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { KeyRow, RevokeButton } from '../../components/key-facts.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { type ApiKey, keysQuery } from './api-key-queries.ts';
import { CreateKey, RollKey } from './key-forms.tsx';

const words = settingsTexts.keys;

export function ApiKeys({ creating, onCreating }: { creating: boolean; onCreating: (on: boolean) => void }) {
  const session = useSession();
  const keys = useQuery(keysQuery(session.workspace_id));
  const [chosen, setChosen] = useState<{ action: 'roll' | 'revoke'; apiKey: ApiKey }>();
  const close = (): void => setChosen(undefined);
  const isOwn = ({ key_prefix }: ApiKey): boolean => key_prefix === session.key_prefix;
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
          <p className="text-[13px] text-muted">{commonTexts.needsScope('admin')}</p>
        )
      }
    >
      <QueryView query={keys}>
        {(items) =>
          items.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ul className="divide-y divide-line">
              {items.map((apiKey) => (
                <KeyRow
                  key={apiKey.id}
                  apiKey={apiKey}
                  className="py-3"
                  note={isOwn(apiKey) && <span className="font-normal text-muted">({words.own})</span>}
                >
                  {mayManage && <KeyActions apiKey={apiKey} onAction={setChosen} />}
                </KeyRow>
              ))}
            </ul>
          )
        }
      </QueryView>
      {creating && <CreateKey onClose={() => onCreating(false)} />}
      {chosen?.action === 'roll' && (
        <RollKey apiKey={chosen.apiKey} isOwn={isOwn(chosen.apiKey)} onClose={close} />
      )}
      {chosen?.action === 'revoke' && (
        <RevokeKey apiKey={chosen.apiKey} isOwn={isOwn(chosen.apiKey)} onClose={close} />
      )}
    </Panel>
  );
}

function KeyActions({
  apiKey,
  onAction,
}: {
  apiKey: ApiKey;
  onAction: (chosen: { action: 'roll' | 'revoke'; apiKey: ApiKey }) => void;
}) {
  return (
    <div className="flex gap-2">
      <Button aria-label={words.rollKey(apiKey.name)} onClick={() => onAction({ action: 'roll', apiKey })}>
        {words.roll}
      </Button>
      <RevokeButton apiKey={apiKey} onClick={() => onAction({ action: 'revoke', apiKey })} />
    </div>
  );
}

function RevokeKey({ apiKey, isOwn, onClose }: { apiKey: ApiKey; isOwn: boolean; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  return (
    <Confirm
      title={words.revokeTitle(apiKey.name)}
      text={`${words.revokeText} ${isOwn ? words.revokeOwn : ''}`}
      action={words.revoke}
      run={async () => {
        await dataOf(
          api.DELETE('/api/v1/workspaces/{workspace_id}/api-keys/{key_id}', {
            params: { path: { workspace_id, key_id: apiKey.id } },
          }),
        );
        await client.invalidateQueries(keysQuery(workspace_id));
      }}
      onClose={onClose}
    />
  );
}
