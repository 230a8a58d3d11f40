import { choices } from '../../choices.ts';
import { SelectField, TextField } from '../../components/controls.tsx';
import { fieldError } from '../../components/states.tsx';
import { formatExactTime } from '../../format.ts';
import { schedulesTexts } from '../../texts/schedules.ts';
import { nextCronTimes, readCron } from './cron.ts';
import { describeSchedule, problemWords } from './cron-words.ts';
import { EVERY_MINUTES, expressionOf, FREQUENCIES, LAST_DAY, type Timing } from './timing.ts';

const words = schedulesTexts.timing;
const SHOWN_TIMES = 3;
/** The days of a week from Monday on. */
const WEEK = [1, 2, 3, 4, 5, 6, 0];

const numbered = (first: number, last: number): (readonly [string, string])[] =>
  Array.from(
    { length: last - first + 1 },
    (_, index) => [String(first + index), String(first + index)] as const,
  );
const two = (value: number): string => String(value).padStart(2, '0');

interface TimingProps {
  timing: Timing;
  onChange: (changes: Partial<Timing>) => void;
}

/** Edits when a schedule is due without knowledge of cron, and shows the next due times. */
export function CronBuilder({
  timing,
  timezone,
  error,
  onChange,
}: TimingProps & { timezone: string; error: Error | null }) {
  const read = readCron(expressionOf(timing));
  const next = 'fields' in read ? nextCronTimes(read.fields, timezone, SHOWN_TIMES) : [];
  const problem =
    'problem' in read
      ? problemWords(read.problem)
      : next.length === 0
        ? schedulesTexts.cron.problems.never
        : undefined;
  return (
    <fieldset className="space-y-3 rounded-xl border border-line p-3">
      <legend className="px-1 text-sm font-medium">{words.title}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={words.frequency}
          value={timing.frequency}
          onChange={(frequency) => onChange({ frequency })}
          options={choices(FREQUENCIES, words.frequencies)}
        />
        <IntervalFields timing={timing} onChange={onChange} />
        {['daily', 'weekly', 'monthly'].includes(timing.frequency) && (
          <TimeField timing={timing} onChange={onChange} />
        )}
        {timing.frequency === 'custom' && (
          <TextField
            label={words.expression}
            hint={words.expressionHint}
            error={problem ?? fieldError(error, 'cron_expression')}
            required
            spellCheck={false}
            className="font-mono"
            value={timing.expression}
            onChange={(expression) => onChange({ expression })}
          />
        )}
      </div>
      {problem === undefined && (
        <p className="text-[13px] text-muted" role="status">
          <span className="font-medium text-ink">{describeSchedule(expressionOf(timing))}</span>. {words.next}
          : {next.map((time) => formatExactTime(time)).join(' · ')}
        </p>
      )}
    </fieldset>
  );
}

/** Every how many minutes, at which minute, or on which days. */
function IntervalFields({ timing, onChange }: TimingProps) {
  if (timing.frequency === 'minutes')
    return (
      <NumberChoice
        label={words.every}
        value={timing.every}
        options={EVERY_MINUTES.map((one) => [String(one), words.minutes(one)] as const)}
        onChange={(every) => onChange({ every })}
      />
    );
  if (timing.frequency === 'hourly')
    return (
      <NumberChoice
        label={words.minute}
        value={timing.minute}
        options={numbered(0, 59)}
        onChange={(minute) => onChange({ minute })}
      />
    );
  if (timing.frequency === 'weekly')
    return <Weekdays chosen={timing.weekdays} onChange={(weekdays) => onChange({ weekdays })} />;
  if (timing.frequency !== 'monthly') return null;
  return (
    <NumberChoice
      label={words.day}
      value={timing.day}
      options={numbered(1, LAST_DAY)}
      onChange={(day) => onChange({ day })}
    />
  );
}

function TimeField({ timing, onChange }: TimingProps) {
  return (
    <TextField
      label={words.time}
      type="time"
      required
      value={`${two(timing.hour)}:${two(timing.minute)}`}
      onChange={(value) => {
        const [hour, minute] = value.split(':').map(Number);
        if (hour !== undefined && minute !== undefined) onChange({ hour, minute });
      }}
    />
  );
}

/** The days of the week as chips, of which at least one stays chosen. */
function Weekdays({
  chosen,
  onChange,
}: {
  chosen: readonly number[];
  onChange: (weekdays: readonly number[]) => void;
}) {
  const toggle = (day: number): void => {
    const others = chosen.filter((one) => one !== day);
    if (others.length === chosen.length) onChange([...chosen, day].toSorted((a, b) => a - b));
    else if (others.length > 0) onChange(others);
  };
  return (
    <div role="group" aria-label={words.weekday}>
      <p className="mb-1 text-sm font-medium">{words.weekday}</p>
      <div className="flex flex-wrap gap-1">
        {WEEK.map((day) => (
          <button
            key={day}
            type="button"
            aria-label={words.weekdays[day]}
            aria-pressed={chosen.includes(day)}
            onClick={() => toggle(day)}
            className="size-8 rounded-full border border-line text-[13px] aria-pressed:border-transparent aria-pressed:bg-accent aria-pressed:text-on-accent"
          >
            {words.shortWeekdays[day]}
          </button>
        ))}
      </div>
    </div>
  );
}

function NumberChoice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: number;
  options: readonly (readonly [string, string])[];
  onChange: (value: number) => void;
}) {
  return (
    <SelectField
      label={label}
      value={String(value)}
      options={options}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
