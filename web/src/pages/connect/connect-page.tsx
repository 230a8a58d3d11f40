import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { ChoiceButtons } from '../../components/choice-buttons.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Button } from '../../components/controls.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { commonTexts } from '../../texts/common.ts';
import { connectTexts } from '../../texts/connect.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { type ApiKey, keysQuery } from '../settings/api-key-queries.ts';
import { CreateKey } from '../settings/key-forms.tsx';
import { CLIENTS, type Client, snippetOf } from './snippets.ts';

const words = connectTexts;
/** How often the last calls are read again, so that the first call of a new client shows. */
const REFRESH_MS = 5_000;
const DAY_MS = 86_400_000;

/** How programs and assistants reach the workspace. */
export function ConnectPage() {
  return (
    <Page title={words.title}>
      <Address />
      <Snippets />
      <Keys />
    </Page>
  );
}

function Address() {
  const { workspace_id } = useSession();
  const facts = [
    [words.address.base, location.origin],
    [words.address.assistants, `${location.origin}/mcp`],
    [words.address.workspace, workspace_id],
  ] as const;
  return (
    <Panel title={words.address.title}>
      <dl className="divide-y divide-line text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5">
            <dt className="w-44 shrink-0 text-muted">{name}</dt>
            <dd className="flex min-w-0 flex-1 items-center justify-between gap-3">
              <span className="min-w-0 font-mono text-[13px] [overflow-wrap:anywhere]">{value}</span>
              <CopyButton text={value} name={words.address.copy(name)} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

/** What to enter or to save, by client. */
function Snippets() {
  const { workspace_id } = useSession();
  const [client, setClient] = useState<Client>('claude');
  const texts = words.snippets;
  const snippet = snippetOf(client, {
    base: location.origin,
    workspaceId: workspace_id,
    key: texts.placeholder,
  });
  return (
    <Panel
      title={texts.title}
      actions={
        <a href="/docs" className="text-[13px] text-accent">
          {texts.documentation}
        </a>
      }
    >
      <ChoiceButtons
        label={texts.client}
        options={choices(CLIENTS, texts.clients)}
        value={client}
        onChange={setClient}
        className="-mx-1 mb-2 flex-wrap"
      />
      <div className="mb-1 flex flex-wrap items-center justify-between gap-3 text-[13px] text-muted">
        <p>
          {texts.places[client]} {texts.replace}
        </p>
        <CopyButton text={snippet} />
      </div>
      <pre
        tabIndex={0}
        aria-label={texts.clients[client]}
        className="min-h-44 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-[13px] whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {snippet}
      </pre>
    </Panel>
  );
}

/** The valid keys with their last calls, and a way to make one. */
function Keys() {
  const session = useSession();
  const [isCreating, setCreating] = useState(false);
  const keys = useQuery({ ...keysQuery(session.workspace_id), refetchInterval: REFRESH_MS });
  return (
    <Panel
      title={words.key.title}
      actions={
        session.allows('admin') ? (
          <Button look="primary" onClick={() => setCreating(true)}>
            {words.key.create}
          </Button>
        ) : (
          <p className="text-[13px] text-muted">{commonTexts.needsScope('admin')}</p>
        )
      }
    >
      <p className="mb-2 text-sm text-muted">{words.key.text}</p>
      <QueryView query={keys} rows={1}>
        {(all) => <KeyTable apiKeys={all.filter(({ is_active }) => is_active)} />}
      </QueryView>
      <p className="mt-3 text-[13px]">
        <Link to="/settings" className="text-accent">
          {words.key.manage}
        </Link>
      </p>
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
    </Panel>
  );
}

function KeyTable({ apiKeys }: { apiKeys: readonly ApiKey[] }) {
  if (apiKeys.length === 0) return <p className="text-sm text-muted">{words.key.none}</p>;
  return (
    <table className="w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-1.5 font-medium">{words.key.name}</th>
          <th className="py-1.5 pl-3 font-medium">{words.key.scope}</th>
          <th className="py-1.5 pl-3 text-right font-medium">{words.key.lastUsed}</th>
        </tr>
      </thead>
      <tbody>
        {apiKeys.map(({ id, name, key_prefix, scopes, last_used_at }) => (
          <tr key={id} className="border-b border-line last:border-0">
            <td className="py-1.5 [overflow-wrap:anywhere]">
              {name} <span className="font-mono text-[13px] text-muted">{key_prefix}…</span>
            </td>
            <td className="py-1.5 pl-3">
              {scopes.map((scope) => settingsTexts.keys.scopeNames[scope]).join(', ')}
            </td>
            <td className="py-1.5 pl-3 text-right">
              {last_used_at === null ? (
                <span className="text-muted">{commonTexts.never}</span>
              ) : (
                <StatusDot tone={Date.now() - Date.parse(last_used_at) < DAY_MS ? 'good' : 'muted'}>
                  <Time at={last_used_at} />
                </StatusDot>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
