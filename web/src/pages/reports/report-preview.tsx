import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, ApiError, dataOf, type Schemas } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { ErrorNote } from '../../components/states.tsx';
import { commonTexts } from '../../texts/common.ts';
import { reportsTexts } from '../../texts/reports.ts';
import { useDelayed } from '../../timers.ts';
import { ReportView } from './report-view.tsx';
import type { ReportContent } from './reports.ts';

const words = reportsTexts;
const TYPING_MS = 300;

type Plan = Schemas['DraftReportDto'];

/** What a draft of a report says about the last period that is over; updated while it is edited. */
export function ReportPreview({ plan }: { plan: Plan }) {
  const { workspace_id } = useSession();
  const isEmpty = plan.alerts?.length === 0 && plan.searches?.length === 0;
  const draft = useDelayed(JSON.stringify(plan), TYPING_MS);
  const preview = useQuery({
    queryKey: keys.reportPreview(workspace_id, draft),
    queryFn: ({ signal }) =>
      dataOf(
        api.POST('/api/v1/workspaces/{workspace_id}/reports/preview', {
          params: { path: { workspace_id }, query: { format: 'json' } },
          body: JSON.parse(draft) as Plan,
          signal,
        }),
      ) as Promise<ReportContent>,
    enabled: !isEmpty && draft === JSON.stringify(plan),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={words.preview} className="min-w-0 rounded-xl bg-raised p-4 text-sm">
      <h3 className="mb-2 font-semibold">{words.preview}</h3>
      {isEmpty ? (
        <p className="text-muted">{words.previewEmpty}</p>
      ) : preview.error instanceof ApiError && preview.error.status === 400 ? (
        // The form shows the reason when it is submitted.
        <p className="text-muted">{words.previewRefused}</p>
      ) : preview.error ? (
        <ErrorNote error={preview.error} />
      ) : preview.data === undefined ? (
        <p className="text-muted">{commonTexts.loading} …</p>
      ) : (
        <ReportView content={preview.data} />
      )}
    </section>
  );
}
