import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { auditQuery } from '../../api/audit.ts';
import { AuditLog } from '../../components/audit-log.tsx';
import { Button } from '../../components/controls.tsx';
import { Page } from '../../components/page.tsx';
import { adminTexts } from '../../texts/admin.ts';
import { useWorkspaceName, WorkspaceLink } from './workspace-name.tsx';

const words = adminTexts.audit;
const route = getRouteApi('/admin/audit');

/** Every change in words, by workspace, period, text, who made it and what was done. */
export function AuditPage() {
  const state = route.useSearch();
  const navigate = route.useNavigate();
  const name = useWorkspaceName(state.workspace ?? '');
  const show = (search: typeof state): void => void navigate({ search, replace: true });
  return (
    <Page title={words.title}>
      {state.workspace !== undefined && (
        <p className="mb-3 flex min-w-0 items-center gap-2 text-sm">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {words.of} {name}
          </span>
          <Button onClick={() => show({ ...state, workspace: undefined })}>{words.all}</Button>
        </p>
      )}
      <AuditLog
        state={state}
        log={useInfiniteQuery(auditQuery(state))}
        onChange={show}
        placeOf={({ workspace_id: id }) => id !== null && <WorkspaceLink id={id} />}
      />
    </Page>
  );
}
