import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { historyQuery } from '../../api/audit.ts';
import { useSession } from '../../api/session.ts';
import { AuditLog } from '../../components/audit-log.tsx';
import { Page } from '../../components/page.tsx';
import { commonTexts } from '../../texts/common.ts';
import { historyTexts } from '../../texts/history.ts';

const route = getRouteApi('/history');

/** Who changed what in the workspace, for its owners. */
export function HistoryPage() {
  const { allows } = useSession();
  return (
    <Page title={historyTexts.title}>
      {allows('admin') ? <History /> : <p role="status">{commonTexts.needsScope('admin')}</p>}
    </Page>
  );
}

function History() {
  const { workspace_id } = useSession();
  const state = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <p className="mb-3 -mt-2 text-sm text-muted">{historyTexts.explanation}</p>
      <AuditLog
        state={state}
        log={useInfiniteQuery(historyQuery(workspace_id, state))}
        onChange={(search) => void navigate({ search, replace: true })}
      />
    </>
  );
}
