import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { KeyFacts } from '../../components/key-facts.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { type ApiKey, keysQuery } from './api-key-queries.ts';
import { CreateKey, RollKey } from './key-forms.tsx';

const words = settingsTexts.keys;
type Action = 'roll' | 'revoke';

export function ApiKeys({ creating, onCreating }: { creating: boolean; onCreating: (on: boolean) => void }) {
  const session = useSession();
  const keys = useQuery(keysQuery(session.workspace_id));
  const [chosen, setChosen] = useState<{ action: Action; key: ApiKey }>();
  const close = (): void => setChosen(undefined);
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
              {items.map((key) => (
                <KeyRow
                  key={key.id}
                  apiKey={key}
                  isOwn={key.key_prefix === session.key_prefix}
                  onAction={mayManage ? (action) => setChosen({ action, key }) : undefined}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {creating && <CreateKey onClose={() => onCreating(false)} />}
      {chosen?.action === 'roll' && (
        <RollKey apiKey={chosen.key} isOwn={chosen.key.key_prefix === session.key_prefix} onClose={close} />
      )}
      {chosen?.action === 'revoke' && (
        <Confirm
          title={words.revokeTitle(chosen.key.name)}
          text={`${words.revokeText} ${chosen.key.key_prefix === session.key_prefix ? words.revokeOwn : ''}`}
          action={words.revoke}
          run={async () => {
            await dataOf(
              api.DELETE('/api/v1/workspaces/{workspace_id}/api-keys/{key_id}', {
                params: { path: { workspace_id: session.workspace_id, key_id: chosen.key.id } },
              }),
            );
            await client.invalidateQueries(keysQuery(session.workspace_id));
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}

function KeyRow({
  apiKey: key,
  isOwn,
  onAction,
}: {
  apiKey: ApiKey;
  isOwn: boolean;
  onAction: ((action: Action) => void) | undefined;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <KeyFacts apiKey={key} note={isOwn && <span className="font-normal text-muted">({words.own})</span>} />
      {key.is_active ? (
        onAction && (
          <div className="flex gap-2">
            <Button aria-label={words.rollKey(key.name)} onClick={() => onAction('roll')}>
              {words.roll}
            </Button>
            <Button look="danger" aria-label={words.revokeKey(key.name)} onClick={() => onAction('revoke')}>
              {words.revoke}
            </Button>
          </div>
        )
      ) : (
        <span className="text-muted">{words.inactive}</span>
      )}
    </li>
  );
}
