import { getRouteApi } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { texts } from '../../texts.ts';
import { ApiKeys } from './api-keys.tsx';
import { Usage } from './usage.tsx';

const route = getRouteApi('/settings');

export function SettingsPage() {
  const session = useSession();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={texts.settings.title}>
      <Panel title={texts.settings.workspace}>
        <div className="flex flex-wrap items-end justify-between gap-3 text-sm">
          <dl className="min-w-0 space-y-1 [overflow-wrap:anywhere]">
            <dt className="text-muted">{texts.settings.workspaceId}</dt>
            <dd className="font-mono text-[13px]">{session.workspace_id}</dd>
            <dt className="pt-1 text-muted">{texts.settings.signedInWith}</dt>
            <dd>
              <span className="font-mono text-[13px]">{session.key_prefix}…</span> (
              {session.scopes.map((scope) => texts.settings.keys.scopeNames[scope]).join(', ')})
            </dd>
          </dl>
          <CopyButton text={session.workspace_id} />
        </div>
      </Panel>
      <ApiKeys
        creating={create !== undefined && session.allows('admin')}
        onCreating={(on) => void navigate({ search: on ? { create: 'yes' } : {}, replace: true })}
      />
      <Usage />
    </Page>
  );
}
