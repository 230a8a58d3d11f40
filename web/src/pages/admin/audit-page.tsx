import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { Page } from '../../components/page.tsx';
import { LoadMore, QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts.ts';
import { auditQuery } from './admin-queries.ts';

const words = texts.admin.audit;
const route = getRouteApi('/admin/audit');

export function AuditPage() {
  const { workspace = '' } = route.useSearch();
  const audit = useInfiniteQuery(auditQuery(workspace));
  return (
    <Page title={words.title}>
      {workspace !== '' && (
        <p className="-mt-3 mb-4 text-sm [overflow-wrap:anywhere]">
          {words.of} <span className="font-mono text-[13px]">{workspace}</span>.{' '}
          <Link to="/admin/audit" className="text-accent">
            {words.all}
          </Link>
        </p>
      )}
      <QueryView query={audit}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          return entries.length === 0 ? (
            <Empty title={words.empty} />
          ) : (
            <ul className="divide-y divide-line rounded-xl border border-line bg-surface px-4">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ul>
          );
        }}
      </QueryView>
      <LoadMore query={audit} />
    </Page>
  );
}

function Entry({ entry }: { entry: Schemas['AuditEntryDto'] }) {
  const things = Object.values(entry.resource).filter((id) => id !== entry.workspace_id);
  return (
    <li className="py-3 text-sm [overflow-wrap:anywhere]">
      <p className="flex flex-wrap gap-x-3">
        <span className="font-medium">{entry.action}</span>
        {things.map((id) => (
          <span key={id} className="font-mono text-[13px]">
            {id}
          </span>
        ))}
        {entry.fields.length > 0 && <span className="text-muted">{entry.fields.join(', ')}</span>}
      </p>
      <p className="flex flex-wrap gap-x-3 text-[13px] text-muted">
        <Time at={entry.created_at} />
        <span>
          {words.actors[entry.actor]} {entry.actor_name}
        </span>
        {entry.ip !== null && <span>{entry.ip}</span>}
        {entry.workspace_id !== null && (
          <Link
            to="/admin/workspaces/$workspaceId"
            params={{ workspaceId: entry.workspace_id }}
            className="text-accent"
          >
            {entry.workspace_id}
          </Link>
        )}
        <span>{entry.status === null ? words.unknownEnd : words.status(entry.status)}</span>
      </p>
    </li>
  );
}
