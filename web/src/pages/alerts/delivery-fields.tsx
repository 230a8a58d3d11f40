import { SelectField, TextField } from '../../components/controls.tsx';
import { fieldError } from '../../components/states.tsx';
import { alertsTexts } from '../../texts/alerts.ts';
import { type DeliverySettings, PERIODS, WEEKDAYS } from './delivery.ts';

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
  const { every, at, weekday, timezone, quietFrom, quietTo, perHour } = settings;
  const isTimed = every === 'day' || every === 'week';
  const hasTimes = isTimed || quietFrom !== '' || quietTo !== '';
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={words.every}
        value={every}
        options={PERIODS.map((one) => [one, words.periods[one]] as const)}
        onChange={(chosen) => onChange({ every: chosen })}
      />
      {every === 'week' && (
        <SelectField
          label={words.weekday}
          value={weekday}
          options={WEEKDAYS.map((one) => [one, words.weekdays[one]] as const)}
          onChange={(chosen) => onChange({ weekday: chosen })}
        />
      )}
      {isTimed && (
        <TextField
          label={words.at}
          type="time"
          required
          error={fieldError(error, 'delivery.at')}
          value={at}
          onChange={(value) => onChange({ at: value })}
        />
      )}
      <TextField
        label={words.quietFrom}
        type="time"
        required={quietTo !== ''}
        error={fieldError(error, 'delivery.quiet')}
        value={quietFrom}
        onChange={(value) => onChange({ quietFrom: value })}
      />
      <TextField
        label={words.quietTo}
        type="time"
        required={quietFrom !== ''}
        value={quietTo}
        onChange={(value) => onChange({ quietTo: value })}
      />
      <TextField
        label={words.perHour}
        hint={words.perHourHint}
        type="number"
        min={1}
        error={fieldError(error, 'delivery.max_per_hour')}
        value={perHour}
        onChange={(value) => onChange({ perHour: value })}
      />
      {hasTimes && (
        <TextField
          label={words.timezone}
          hint={words.timezoneHint}
          required
          error={fieldError(error, 'delivery.timezone')}
          value={timezone}
          onChange={(value) => onChange({ timezone: value })}
        />
      )}
    </div>
  );
}
