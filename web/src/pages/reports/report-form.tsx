import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { KINDS } from '../../api/kinds.ts';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { Checkbox, SelectField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { PlanFields } from '../../components/plan-fields.tsx';
import { NameField } from '../../components/name-field.tsx';
import { useForm } from '../../components/use-form.ts';
import { reportsTexts } from '../../texts/reports.ts';
import { alertsQuery } from '../alerts/alerts.ts';
import { ChannelFields } from '../alerts/channel-fields.tsx';
import { savedSearchesQuery } from '../search/saved-searches.ts';
import { draftOf, planOf, reportOf, toggled } from './report-draft.ts';
import { ReportPreview } from './report-preview.tsx';
import type { Report } from './reports.ts';

const words = reportsTexts;

/** The form of a report, which creates it or changes it. */
function useReportForm(report: Report | null, onClose: () => void) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useForm({
    draft: `report ${workspace_id} ${report?.id ?? ''}`,
    initial: () => draftOf(report),
    send: (draft, key) =>
      report === null
        ? dataOf(
            api.POST('/api/v1/workspaces/{workspace_id}/reports', {
              params: { path: { workspace_id }, header: { 'Idempotency-Key': key } },
              body: reportOf(draft, null),
            }),
          )
        : dataOf(
            api.PATCH('/api/v1/workspaces/{workspace_id}/reports/{report_id}', {
              params: { path: { workspace_id, report_id: report.id } },
              body: reportOf(draft, report),
            }),
          ),
    onSent: async ({ id }) => {
      await client.invalidateQueries({ queryKey: keys.reports(workspace_id) });
      onClose();
      if (report === null) void navigate({ to: '/reports/$reportId', params: { reportId: id } });
    },
  });
}
type ReportForm = ReturnType<typeof useReportForm>;

/** Creates or changes a report, and shows what it would say now. */
export function ReportForm({ report, onClose }: { report: Report | null; onClose: () => void }) {
  const form = useReportForm(report, onClose);
  const { value: draft, change, error } = form;
  return (
    <FormModal
      title={report === null ? words.create : words.editTitle(report.name)}
      wide
      form={form}
      words={{ submit: report === null ? words.submit : words.save, submitting: words.submitting }}
      onClose={onClose}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <NameField
            hint={words.nameHint}
            error={error}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          <SourceFields form={form} />
          <TimeFields form={form} />
          <ChannelFields
            settings={draft.destination}
            former={report?.channel ?? null}
            silent={words.onlyHere}
            error={error}
            onChange={(changes) => change({ destination: { ...draft.destination, ...changes } })}
          />
        </div>
        <ReportPreview plan={planOf(draft)} />
      </div>
    </FormModal>
  );
}

/** The alerts and saved searches that a report counts. */
function SourceFields({ form: { value: draft, change, errorOf } }: { form: ReportForm }) {
  const { workspace_id } = useSession();
  const alerts = useQuery(alertsQuery(workspace_id));
  const searches = useQuery(savedSearchesQuery(workspace_id));
  if (alerts.data?.length === 0 && searches.data?.length === 0)
    return <p className="text-sm text-warn">{words.noSources}</p>;
  return (
    <>
      {(['alerts', 'searches'] as const).map((kind) => {
        const records = (kind === 'alerts' ? alerts.data : searches.data) ?? [];
        const error = errorOf(kind);
        return records.length === 0 ? null : (
          <fieldset key={kind} className="min-w-0">
            <legend className="mb-1 text-sm font-medium">{words[kind]}</legend>
            <div className="max-h-40 overflow-y-auto rounded-lg border border-line px-2 py-1 [overflow-wrap:anywhere]">
              {records.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={draft[kind].includes(id)}
                  onChange={() => change({ [kind]: toggled(draft[kind], id) })}
                />
              ))}
            </div>
            {error !== undefined && <p className="mt-1 text-[13px] text-bad">{error}</p>}
          </fieldset>
        );
      })}
    </>
  );
}

/** The period of a report, and when it is sent. */
function TimeFields({ form: { value: draft, change, errorOf } }: { form: ReportForm }) {
  return (
    <div className="grid grid-cols-2 gap-4">
      <SelectField
        label={words.every}
        value={draft.every}
        options={choices(KINDS.lists.reportPeriods, words.periods)}
        onChange={(every) => change({ every })}
      />
      <PlanFields plan={draft} errorOf={errorOf} onChange={change} />
    </div>
  );
}
