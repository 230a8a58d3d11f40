import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { reportsTexts } from '../../texts/reports.ts';
import { ReportActions } from './report-actions.tsx';
import { ReportForm } from './report-form.tsx';
import { ReportPlan } from './report-plan.tsx';
import { type Report, reportsQuery } from './reports.ts';

const route = getRouteApi('/reports');

/** The reports of the workspace. */
export function ReportsPage() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspace_id } = useSession();
  return (
    <ListPage
      words={reportsTexts}
      query={useQuery(reportsQuery(workspace_id))}
      creating={create !== undefined}
      form={<ReportForm report={null} onClose={() => void navigate({ search: {}, replace: true })} />}
      onCreate={() => void navigate({ search: { create: 'yes' } })}
    >
      {(report) => <ReportCard key={report.id} report={report} />}
    </ListPage>
  );
}

function ReportCard({ report }: { report: Report }) {
  const session = useSession();
  return (
    <Card as="li" className="flex flex-wrap items-start justify-between gap-3 p-4 [overflow-wrap:anywhere]">
      <div className="min-w-0">
        <h2 className="font-semibold">
          <Link
            to="/reports/$reportId"
            params={{ reportId: report.id }}
            className="text-ink no-underline hover:underline"
          >
            {report.name}
          </Link>
        </h2>
        <ReportPlan report={report} />
      </div>
      {session.allows('write') && <ReportActions report={report} />}
    </Card>
  );
}
