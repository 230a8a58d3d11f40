import { getRouteApi } from '@tanstack/react-router';
import { KINDS } from '../../api/kinds.ts';
import { Settled } from '../../components/settled.tsx';
import { isPerson, useSession } from '../../api/session.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { SignInLink } from './sign-in-link.tsx';
import { SignerName } from './signer-name.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Dates } from './dates.tsx';
import { Members } from './members.tsx';
import { Notifications } from './notifications.tsx';
import { Sessions } from './sessions.tsx';
import { Usage } from './usage.tsx';
import { Workspaces } from './workspaces.tsx';

const route = getRouteApi('/settings');

export function SettingsPage() {
  const session = useSession();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title={settingsTexts.title}>
      <Settled>
        <Panel title={settingsTexts.workspace}>
          <div className="flex flex-wrap items-end justify-between gap-3 text-sm">
            <dl className="min-w-0 space-y-1 [overflow-wrap:anywhere]">
              <dt className="text-muted">{settingsTexts.workspaceName}</dt>
              <dd className="font-medium">{session.workspace_name}</dd>
              <dt className="pt-1 text-muted">{settingsTexts.workspaceId}</dt>
              <dd className="font-mono text-[13px]">{session.workspace_id}</dd>
              <SignedInAs />
            </dl>
            <div className="flex flex-wrap gap-2">
              <SignInLink />
              <CopyButton text={session.workspace_id} label={settingsTexts.copyId} />
            </div>
          </div>
        </Panel>
        <ApiKeys
          creating={create !== undefined && session.allows('admin')}
          onCreating={(on) => void navigate({ search: on ? { create: 'yes' } : {}, replace: true })}
        />
        {session.allows('admin') && <Members />}
        {isPerson(session) && <Notifications />}
        <Dates />
        <Workspaces />
        <Sessions />
        <Usage />
      </Settled>
    </Page>
  );
}

/** The account and its role, or the key and its scopes. */
function SignedInAs() {
  const session = useSession();
  const { scopes, roles } = KINDS.lists;
  const role = roles[scopes.findLastIndex((scope) => session.allows(scope))]!;
  return (
    <>
      <dt className="pt-1 text-muted">
        {isPerson(session) ? settingsTexts.signedInAs : settingsTexts.signedInWith}
      </dt>
      <dd>
        <SignerName name={session.key_prefix} />{' '}
        {isPerson(session)
          ? `(${settingsTexts.members.roles[role]})`
          : `(${session.scopes.map((scope) => settingsTexts.keys.scopeNames[scope]).join(', ')})`}
      </dd>
    </>
  );
}
