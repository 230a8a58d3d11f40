import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { isPerson, useSession } from '../../api/session.ts';
import { Button } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { ApiKeys } from './api-keys.tsx';
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
      <Panel title={settingsTexts.workspace}>
        <div className="flex flex-wrap items-end justify-between gap-3 text-sm">
          <dl className="min-w-0 space-y-1 [overflow-wrap:anywhere]">
            <dt className="text-muted">{settingsTexts.workspaceName}</dt>
            <dd className="font-medium">{session.workspace_name}</dd>
            <dt className="pt-1 text-muted">{settingsTexts.workspaceId}</dt>
            <dd className="font-mono text-[13px]">{session.workspace_id}</dd>
            <dt className="pt-1 text-muted">{settingsTexts.signedInWith}</dt>
            <dd>
              <span className="font-mono text-[13px]">{session.key_prefix}…</span> (
              {session.scopes.map((scope) => settingsTexts.keys.scopeNames[scope]).join(', ')})
            </dd>
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
      <Workspaces />
      <Sessions />
      <Usage />
    </Page>
  );
}

/** Creates a link that signs in another browser once, and shows it once. */
function SignInLink() {
  const words = settingsTexts.link;
  const create = useMutation({ mutationFn: () => dataOf(api.POST('/api/v1/session/links')), gcTime: 0 });
  return (
    <>
      {create.error && <ErrorNote error={create.error} />}
      <Button disabled={create.isPending} onClick={() => create.mutate()}>
        {words.create}
      </Button>
      {create.data !== undefined && (
        <SecretOnce
          title={words.title}
          text={words.text}
          label={words.label}
          value={location.origin + create.data.path}
          onClose={create.reset}
        />
      )}
    </>
  );
}
