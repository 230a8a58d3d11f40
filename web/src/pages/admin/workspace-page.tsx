import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { Button } from '../../components/controls.tsx';
import { Facts, Figures } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatBytes, formatNumber } from '../../format.ts';
import { adminTexts } from '../../texts/admin.ts';
import { commonTexts } from '../../texts/common.ts';
import { settingsTexts } from '../../texts/settings.ts';
import { type AdminWorkspace, workspaceQuery } from './admin-queries.ts';
import { QuotaFields, RetentionFields } from './number-fields.tsx';
import { DeleteWorkspace, RenameWorkspace, ResetWorkspace } from './workspace-dialogs.tsx';
import { WorkspaceKeys } from './workspace-keys.tsx';
import { WorkspaceStatus } from './workspaces-page.tsx';
import { keys } from '../../api/keys.ts';

const words = adminTexts.workspace;
const route = getRouteApi('/admin/workspaces/$workspaceId');

export function AdminWorkspacePage() {
  const { workspaceId } = route.useParams();
  const workspace = useQuery(workspaceQuery(workspaceId));
  return (
    <Page title={workspace.data?.name ?? adminTexts.workspaces.title}>
      <Link to="/admin/workspaces" className="-mt-3 mb-4 inline-block text-sm text-accent">
        {words.back}
      </Link>
      <QueryView query={workspace} missing={<Empty title={words.notFound} />}>
        {(data) => <WorkspaceView workspace={data} />}
      </QueryView>
    </Page>
  );
}

function WorkspaceView({ workspace }: { workspace: AdminWorkspace }) {
  const { usage, deletion } = workspace;
  return (
    <>
      <Panel title={words.details} actions={deletion === null && <Actions workspace={workspace} />}>
        {deletion !== null && (
          <p role="status" className="mb-3 text-sm text-warn">
            {words.deleting(formatNumber(deletion.rows))}
          </p>
        )}
        <Facts
          facts={[
            [words.status, <WorkspaceStatus status={workspace.status} />],
            [words.id, <span className="font-mono text-[13px]">{workspace.id}</span>],
            [words.created, <Time at={workspace.created_at} />],
            [
              words.lastActivity,
              workspace.last_activity_at === null ? (
                commonTexts.never
              ) : (
                <Time at={workspace.last_activity_at} />
              ),
            ],
            [
              adminTexts.audit.title,
              <Link to="/admin/audit" search={{ workspace: workspace.id }} className="text-accent">
                {words.audit}
              </Link>,
            ],
          ]}
        />
      </Panel>
      <Panel title={settingsTexts.usage.title}>
        <Figures
          figures={[
            [settingsTexts.usage.posts, formatNumber(usage.posts)],
            [settingsTexts.usage.comments, formatNumber(usage.comments)],
            [settingsTexts.usage.media, formatBytes(usage.media_bytes)],
            [words.pendingJobs, formatNumber(usage.pending_jobs)],
          ]}
        />
      </Panel>
      {deletion === null && (
        <>
          <WorkspaceKeys workspace={workspace} />
          <QuotaFields workspace={workspace} />
          <RetentionFields workspace={workspace} />
        </>
      )}
    </>
  );
}

function Actions({ workspace }: { workspace: AdminWorkspace }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'delete' | 'rename' | 'reset' | null>(null);
  const onClose = (): void => setDialog(null);
  const isSuspended = workspace.status === 'suspended';
  const toggle = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/api/v1/admin/workspaces/{workspace_id}', {
          params: { path: { workspace_id: workspace.id } },
          body: { status: isSuspended ? 'active' : 'suspended' },
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.admin() }),
  });
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setDialog('rename')}>{words.rename}</Button>
      <Button disabled={toggle.isPending} onClick={() => toggle.mutate()}>
        {isSuspended ? words.resume : words.suspend}
      </Button>
      <Button look="danger" onClick={() => setDialog('reset')}>
        {words.reset}
      </Button>
      <Button look="danger" onClick={() => setDialog('delete')}>
        {words.delete}
      </Button>
      {toggle.error && <ErrorNote error={toggle.error} />}
      {dialog === 'rename' && <RenameWorkspace workspace={workspace} onClose={onClose} />}
      {dialog === 'reset' && <ResetWorkspace workspace={workspace} onClose={onClose} />}
      {dialog === 'delete' && (
        <DeleteWorkspace
          workspace={workspace}
          onClose={onClose}
          onDeleted={() => void navigate({ to: '/admin/workspaces' })}
        />
      )}
    </div>
  );
}
