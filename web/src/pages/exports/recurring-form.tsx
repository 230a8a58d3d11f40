import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { KINDS } from '../../api/kinds.ts';
import { useSession } from '../../api/session.ts';
import { choices } from '../../choices.ts';
import { SelectField } from '../../components/controls.tsx';
import { FormModal } from '../../components/form-modal.tsx';
import { NameField } from '../../components/name-field.tsx';
import { PlanFields } from '../../components/plan-fields.tsx';
import { useForm } from '../../components/use-form.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { reportsTexts } from '../../texts/reports.ts';
import type { RecurringExport } from './exports.ts';

const words = exportsTexts.recurring;

/** Changes the name of a recurring export, and when it runs. */
export function RecurringForm({ record, onClose }: { record: RecurringExport; onClose: () => void }) {
  const { workspace_id } = useSession();
  const client = useQueryClient();
  const { id, name, every, at, weekday, timezone } = record;
  const form = useForm({
    draft: `recurring export ${workspace_id} ${id}`,
    initial: () => ({ name, every, at, weekday, timezone }),
    send: (body) =>
      dataOf(
        api.PATCH('/api/v1/workspaces/{workspace_id}/recurring-exports/{recurring_export_id}', {
          params: { path: { workspace_id, recurring_export_id: id } },
          body,
        }),
      ),
    onSent: async () => {
      await client.invalidateQueries({ queryKey: keys.recurringExports(workspace_id) });
      onClose();
    },
  });
  const { value, change, error, errorOf } = form;
  return (
    <FormModal
      title={words.editTitle(name)}
      form={form}
      words={{ submit: reportsTexts.save, submitting: reportsTexts.submitting }}
      onClose={onClose}
    >
      <NameField
        maxLength={200}
        error={error}
        value={value.name}
        onChange={(changed) => change({ name: changed })}
      />
      <div className="grid grid-cols-2 gap-4">
        <SelectField
          label={exportsTexts.repeat.label}
          value={value.every}
          options={choices(KINDS.lists.reportPeriods, reportsTexts.periods)}
          onChange={(period) => change({ every: period })}
        />
        <PlanFields plan={value} errorOf={errorOf} onChange={change} />
      </div>
    </FormModal>
  );
}
