import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { Button } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Time } from '../../components/time.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { SignerName } from './signer-name.tsx';
import { browserName } from './browser-name.ts';

const words = settingsTexts.sessions;
type BrowserSession = Schemas['ListedSessionDto'];

/** The browsers that are signed in, with the means to end one session or all. */
export function Sessions() {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const queryKey = keys.sessions(workspace_id);
  const sessions = useQuery({
    queryKey,
    queryFn: () =>
      dataOf(api.GET('/api/v1/workspaces/{workspace_id}/sessions', { params: { path: { workspace_id } } })),
  });
  const [chosen, setChosen] = useState<BrowserSession | 'all'>();
  const end = async (session: BrowserSession | 'all'): Promise<void> => {
    await dataOf(
      session === 'all'
        ? api.DELETE('/api/v1/workspaces/{workspace_id}/sessions', { params: { path: { workspace_id } } })
        : api.DELETE('/api/v1/workspaces/{workspace_id}/sessions/{session_id}', {
            params: { path: { workspace_id, session_id: session.id } },
          }),
    );
    await client.invalidateQueries({ queryKey });
  };
  return (
    <Panel title={words.title} actions={<Button onClick={() => setChosen('all')}>{words.endAll}</Button>}>
      <QueryView query={sessions}>
        {(items) => (
          <ul className="divide-y divide-line">
            {items.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setChosen(session)} />
            ))}
          </ul>
        )}
      </QueryView>
      {chosen !== undefined && (
        <Confirm
          title={chosen === 'all' ? words.endAllTitle : words.endTitle}
          text={chosen === 'all' || chosen.is_current ? words.endOwn : words.endText}
          action={words.end}
          run={() => end(chosen)}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  );
}

function SessionRow({ session, onEnd }: { session: BrowserSession; onEnd: () => void }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">
          {session.address ?? words.unknownAddress}{' '}
          {session.is_current && <span className="font-normal text-muted">({words.current})</span>}
        </p>
        <p
          className="text-[13px] text-muted [overflow-wrap:anywhere]"
          title={session.user_agent ?? undefined}
        >
          {session.user_agent && browserName(session.user_agent)}
        </p>
        <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
          <SignerName name={session.key_prefix} />
          <span>
            {words.begun} <Time at={session.created_at} />
          </span>
          <span>
            {words.lastUsed} <Time at={session.last_used_at} />
          </span>
        </p>
      </div>
      <Button look="danger" aria-label={words.endOf(session.address ?? session.key_prefix)} onClick={onEnd}>
        {words.end}
      </Button>
    </li>
  );
}
