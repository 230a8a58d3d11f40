import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { KINDS } from '../../api/kinds.ts';
import { anyOr } from '../../choices.ts';
import { Card } from '../../components/card.tsx';
import type { Schemas } from '../../api/client.ts';
import { Button, Select } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { fieldName } from '../../field-labels.ts';
import { adminTexts } from '../../texts/admin.ts';
import { auditQuery, workspaceKeysQuery } from './admin-queries.ts';
import type { AuditState } from './audit-state.ts';
import { useWorkspaceName, WorkspaceLink } from './workspace-name.tsx';

const words = adminTexts.audit;
const route = getRouteApi('/admin/audit');

/** Every change in words, by workspace, by who made it and by what was done. */
export function AuditPage() {
  const state = route.useSearch();
  const audit = useInfiniteQuery(auditQuery(state));
  return (
    <Page title={words.title}>
      <AuditFilters state={state} />
      <QueryView query={audit}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          return entries.length === 0 ? (
            <Empty title={Object.keys(state).length === 0 ? words.empty : words.none} />
          ) : (
            <Card as="ul" className="divide-y divide-line px-4">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </Card>
          );
        }}
      </QueryView>
      <LoadMore query={audit} />
    </Page>
  );
}

function AuditFilters({ state }: { state: AuditState }) {
  const navigate = route.useNavigate();
  const name = useWorkspaceName(state.workspace ?? '');
  const change = (changes: Partial<AuditState>): void =>
    void navigate({ search: { ...state, ...changes }, replace: true });
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <div className="grid w-full gap-2 sm:w-auto sm:grid-cols-[12rem_16rem]">
        <Select
          aria-label={words.byActor}
          value={state.actor ?? ''}
          onChange={(actor) => change({ actor: actor || undefined })}
          options={anyOr(words.anyActor, KINDS.lists.auditActors, words.actors)}
        />
        <Select
          aria-label={words.byAction}
          value={state.action ?? ''}
          onChange={(action) => change({ action: action || undefined })}
          options={[
            ['', words.anyAction],
            ...(state.action === undefined || state.action in words.actions
              ? []
              : [[state.action, words.otherAction] as const]),
            ...Object.entries(words.actions).toSorted(([, one], [, other]) => one.localeCompare(other)),
          ]}
        />
      </div>
      {state.workspace !== undefined && (
        <span className="flex min-w-0 items-center gap-2 text-sm">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {words.of} {name}
          </span>
          <Button onClick={() => change({ workspace: undefined })}>{words.all}</Button>
        </span>
      )}
    </div>
  );
}

/** Who did it: an account by its address, a key by its name once that is known. */
function Actor({ entry: { actor, actor_name, workspace_id } }: { entry: Schemas['AuditEntryDto'] }) {
  const isKey = actor === 'api_key' && actor_name !== null && !actor_name.includes('@');
  const { data } = useQuery({
    ...workspaceKeysQuery(workspace_id ?? ''),
    enabled: isKey && workspace_id !== null,
    staleTime: Infinity,
    retry: false,
  });
  const key = isKey ? data?.find(({ key_prefix }) => key_prefix === actor_name) : undefined;
  const kind = (actor_name?.includes('@') && words.accounts[actor]) || words.actors[actor];
  return (
    <span title={actor_name ?? undefined}>
      {kind} {key?.name ?? actor_name}
    </span>
  );
}

function Entry({ entry }: { entry: Schemas['AuditEntryDto'] }) {
  const things = [...new Set(Object.values(entry.resource))].filter((id) => id !== entry.workspace_id);
  const hasFailed = entry.status === null || entry.status >= 400 || entry.status === 1;
  return (
    <li className="py-2.5 text-sm [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-medium" title={entry.action}>
          {words.actions[entry.action] ?? words.otherAction}
        </span>
        {entry.workspace_id !== null && <WorkspaceLink id={entry.workspace_id} />}
        {hasFailed && (
          <span className="text-bad">
            {entry.status === null ? words.unknownEnd : words.status(entry.status)}
          </span>
        )}
      </p>
      {entry.fields.length > 0 && (
        <p className="text-[13px]">{words.changed(entry.fields.map(fieldName).join(', '))}</p>
      )}
      <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
        <Time at={entry.created_at} />
        <Actor entry={entry} />
        {entry.ip !== null && <span>{entry.ip}</span>}
        {things.map((id) => (
          <span key={id} className="font-mono">
            {id}
          </span>
        ))}
      </p>
    </li>
  );
}
