import { KINDS } from '../../api/kinds.ts';
import { anyOr } from '../../choices.ts';
import { Checkbox, SelectField, TextField } from '../../components/controls.tsx';
import { PlanFields } from '../../components/plan-fields.tsx';
import type { FormState } from '../../components/use-form.ts';
import { exportsTexts } from '../../texts/exports.ts';
import { reportsTexts } from '../../texts/reports.ts';
import type { ExportDraft } from './export-draft.ts';

type Form = Pick<FormState<ExportDraft>, 'value' | 'change' | 'errorOf'>;

/** Whether an export is made once, or when it repeats and with which rows, and where its files are copied. */
export function RepeatFields({ form: { value, change, errorOf } }: { form: Form }) {
  const words = exportsTexts.repeat;
  const { repeat, times } = value;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-4">
        <SelectField
          label={words.label}
          value={repeat}
          options={anyOr(words.once, KINDS.lists.reportPeriods, reportsTexts.periods)}
          onChange={(every) => change({ repeat: every, since: '' })}
        />
        {repeat !== '' && (
          <PlanFields
            plan={{ every: repeat, ...times }}
            errorOf={errorOf}
            onChange={(changes) => change({ times: { ...times, ...changes } })}
          />
        )}
      </div>
      {repeat !== '' && (
        <Checkbox
          label={words.onlyChanges}
          hint={words.onlyChangesHint}
          checked={value.onlyChanges}
          onChange={({ target }) => change({ onlyChanges: target.checked })}
        />
      )}
      <DestinationFields form={{ value, change, errorOf }} />
    </>
  );
}

/** The bucket to which the files are copied. */
function DestinationFields({ form: { value, change, errorOf } }: { form: Form }) {
  const words = exportsTexts.destination;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={words.url}
        hint={words.urlHint}
        error={errorOf('destination.url')}
        maxLength={2048}
        value={value.url}
        onChange={(url) => change({ url })}
      />
      {value.url !== '' && (
        <TextField
          label={words.secret}
          hint={words.secretHint}
          error={errorOf('destination.secret')}
          type="password"
          autoComplete="off"
          required
          value={value.secret}
          onChange={(secret) => change({ secret })}
        />
      )}
    </div>
  );
}
