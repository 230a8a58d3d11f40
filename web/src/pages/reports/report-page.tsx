import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useSession } from '../../api/session.ts';
import { Page, Panel } from '../../components/page.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Empty } from '../../components/states.tsx';
import { reportsTexts } from '../../texts/reports.ts';
import { ReportActions } from './report-actions.tsx';
import { ReportPlan } from './report-plan.tsx';
import { ReportView } from './report-view.tsx';
import { latestReportQuery, reportQuery } from './reports.ts';

const words = reportsTexts;
const route = getRouteApi('/reports/$reportId');

/** A report and what it says about the last period that is over. */
export function ReportPage() {
  const { reportId } = route.useParams();
  const session = useSession();
  const navigate = useNavigate();
  const report = useQuery(reportQuery(session.workspace_id, reportId));
  const latest = useQuery(latestReportQuery(session.workspace_id, reportId));
  return (
    <Page
      title={report.data?.name ?? words.title}
      actions={
        report.data !== undefined &&
        session.allows('write') && (
          <ReportActions report={report.data} onDeleted={() => void navigate({ to: '/reports' })} />
        )
      }
    >
      <Link to="/reports" className="mb-2 -mt-3 inline-block text-sm text-accent">
        {words.back}
      </Link>
      <QueryView query={report} rows={1} missing={<Empty title={words.notFound} />}>
        {(data) => (
          <>
            <div className="mb-4">
              <ReportPlan report={data} />
            </div>
            <Panel title={words.latest}>
              <QueryView query={latest}>{(content) => <ReportView content={content} />}</QueryView>
            </Panel>
          </>
        )}
      </QueryView>
    </Page>
  );
}
