import { KINDS } from '../../api/kinds.ts';
import { choices } from '../../choices.ts';
import { SelectField, TextField } from '../../components/controls.tsx';
import { fieldError } from '../../components/states.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import type { DeliverySettings } from './delivery.ts';

const words = alertsTexts.delivery;

/** When an alert notifies: at once or in digests, with quiet hours and a limit. */
export function DeliveryFields({
  settings,
  error,
  onChange,
}: {
  settings: DeliverySettings;
  error: Error | null;
  onChange: (changes: Partial<DeliverySettings>) => void;
}) {
  const { every, weekday, quietFrom, quietTo } = settings;
  const isTimed = every === 'day' || every === 'week';
  const hasTimes = isTimed || quietFrom !== '' || quietTo !== '';
  /** A field of a text, and the name of its refusals in the contract. */
  const text = (name: 'at' | 'quietFrom' | 'quietTo' | 'perHour' | 'timezone', refused?: string) => ({
    label: words[name],
    value: settings[name],
    error: refused && fieldError(error, `delivery.${refused}`),
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={words.every}
        value={every}
        options={choices(KINDS.lists.deliveryPeriods, words.periods)}
        onChange={(chosen) => onChange({ every: chosen })}
      />
      {every === 'week' && (
        <SelectField
          label={words.weekday}
          value={weekday}
          options={choices(KINDS.lists.weekdays, words.weekdays)}
          onChange={(chosen) => onChange({ weekday: chosen })}
        />
      )}
      {isTimed && <TextField {...text('at', 'at')} type="time" required />}
      <TextField {...text('quietFrom', 'quiet')} type="time" required={quietTo !== ''} />
      <TextField {...text('quietTo')} type="time" required={quietFrom !== ''} />
      <TextField {...text('perHour', 'max_per_hour')} hint={words.perHourHint} type="number" min={1} />
      {hasTimes && <TextField {...text('timezone', 'timezone')} hint={words.timezoneHint} required />}
    </div>
  );
}
