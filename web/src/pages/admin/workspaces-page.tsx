import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useFollowed } from '../../components/use-followed.ts';
import { Card } from '../../components/card.tsx';
import { api, dataOf } from '../../api/client.ts';
import { Button, inputClass } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { Empty } from '../../components/states.tsx';
import { StatusDot, type Tone } from '../../components/status-dot.tsx';
import { Time } from '../../components/time.tsx';
import { useForm } from '../../components/use-form.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { adminTexts } from '../../texts/admin.ts';
import { commonTexts } from '../../texts/common.ts';
import { type AdminWorkspace, workspacesQuery } from './admin-queries.ts';
import { keys } from '../../api/keys.ts';

const words = adminTexts.workspaces;
const route = getRouteApi('/admin/workspaces');

const TONES: Record<AdminWorkspace['status'], Tone> = { active: 'good', suspended: 'warn', deleting: 'bad' };

export function WorkspaceStatus({ status }: Pick<AdminWorkspace, 'status'>) {
  return (
    <StatusDot tone={TONES[status]} isMoving={status === 'deleting'}>
      {words.statuses[status]}
    </StatusDot>
  );
}

export function AdminWorkspacesPage() {
  const { q = '', create } = route.useSearch();
  const navigate = route.useNavigate();
  const workspaces = useInfiniteQuery({ ...workspacesQuery(q), placeholderData: keepPreviousData });
  return (
    <Page
      title={words.title}
      actions={
        <Button look="primary" onClick={() => void navigate({ search: { create: 'yes' } })}>
          {words.create}
        </Button>
      }
    >
      <WorkspaceSearch q={q} />
      <QueryView query={workspaces}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.workspaces);
          return items.length === 0 ? (
            <Empty title={q === '' ? words.empty : words.none} />
          ) : (
            <>
              <p role="status" className="mb-2 text-sm text-muted">
                {words.total(formatNumber(pages[0]!.total))}
              </p>
              <ul className="space-y-3">
                {items.map((workspace) => (
                  <WorkspaceCard key={workspace.id} workspace={workspace} />
                ))}
              </ul>
            </>
          );
        }}
      </QueryView>
      <LoadMore query={workspaces} />
      {create !== undefined && (
        <CreateWorkspace onClose={() => void navigate({ search: {}, replace: true })} />
      )}
    </Page>
  );
}

function WorkspaceSearch({ q }: { q: string }) {
  const navigate = route.useNavigate();
  const [text, setText] = useFollowed(q);
  return (
    <form
      role="search"
      className="mb-4 flex gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void navigate({ search: text.trim() === '' ? {} : { q: text.trim() }, replace: true });
      }}
    >
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        className={inputClass}
        maxLength={255}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit">{words.find}</Button>
    </form>
  );
}

function WorkspaceCard({ workspace }: { workspace: AdminWorkspace }) {
  const { usage } = workspace;
  return (
    <Card as="li" className="p-4 [overflow-wrap:anywhere]">
      <h2 className="font-semibold">
        <Link
          to="/admin/workspaces/$workspaceId"
          params={{ workspaceId: workspace.id }}
          className="text-accent"
        >
          {workspace.name}
        </Link>
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-4 text-[13px] text-muted">
        <WorkspaceStatus status={workspace.status} />
        <span>{words.posts(formatNumber(usage.posts))}</span>
        <span>{words.comments(formatNumber(usage.comments))}</span>
        <span>{formatBytes(usage.media_bytes)}</span>
        <span>
          {words.lastActivity}{' '}
          {workspace.last_activity_at === null ? commonTexts.never : <Time at={workspace.last_activity_at} />}
        </span>
      </p>
    </Card>
  );
}

/** Creates a workspace and shows its first key once. */
function CreateWorkspace({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    draft: 'workspace',
    initial: { name: '' },
    send: (body) => dataOf(api.POST('/api/v1/admin/workspaces', { body })),
    onSent: () => client.invalidateQueries({ queryKey: keys.adminWorkspaces() }),
  });
  if (form.result !== undefined)
    return (
      <SecretOnce
        title={words.createdTitle}
        text={words.createdText}
        label={words.key}
        value={form.result.api_key}
        onClose={onClose}
      />
    );
  return (
    <FormModal title={words.create} form={form} words={words} onClose={onClose}>
      <NameField error={form.error} value={form.value.name} onChange={(name) => form.change({ name })} />
    </FormModal>
  );
}
