import { KINDS } from '../api/kinds.ts';
import { choices } from '../choices.ts';
import { alertsTexts } from '../texts/alerts.ts';
import { SelectField, TextField } from './controls.tsx';

/** When something is done that repeats, in local time. */
export interface Plan {
  every: (typeof KINDS.lists.reportPeriods)[number];
  weekday: (typeof KINDS.lists.weekdays)[number];
  at: string;
  timezone: string;
}

/** The weekday of a weekly plan, the time and the time zone. */
export function PlanFields({
  plan,
  errorOf,
  onChange,
}: {
  plan: Plan;
  errorOf: (field: string) => string | undefined;
  onChange: (changes: Partial<Plan>) => void;
}) {
  const texts = alertsTexts.delivery;
  return (
    <>
      {plan.every === 'week' && (
        <SelectField
          label={texts.weekday}
          value={plan.weekday}
          options={choices(KINDS.lists.weekdays, texts.weekdays)}
          onChange={(weekday) => onChange({ weekday })}
        />
      )}
      <TextField
        label={texts.at}
        type="time"
        required
        error={errorOf('at')}
        value={plan.at}
        onChange={(at) => onChange({ at })}
      />
      <TextField
        label={texts.timezone}
        required
        error={errorOf('timezone')}
        value={plan.timezone}
        onChange={(timezone) => onChange({ timezone })}
      />
    </>
  );
}
