import { useState } from 'react';
import { anyOr } from '../../choices.ts';
import { Button, SelectField } from '../../components/controls.tsx';
import { Panel } from '../../components/page.tsx';
import {
  type DateChoice,
  HOURS,
  LANGUAGES,
  keepDateChoice,
  ORDERS,
  readDateChoice,
} from '../../date-choice.ts';
import { formatTime } from '../../format.ts';
import { settingsTexts } from '../../texts/settings.ts';

const words = settingsTexts.dates;
const ZONES = Intl.supportedValuesOf('timeZone');

/** The time zone, the hours, the language and the order of all dates of the dashboard in this browser. */
export function Dates() {
  const [choice, setChoice] = useState(readDateChoice);
  const change = (changes: Partial<DateChoice>): void => setChoice({ ...choice, ...changes });
  const zones = [...new Set([...(choice.timeZone === null ? [] : [choice.timeZone]), 'UTC', ...ZONES])];
  return (
    <Panel title={words.title}>
      <form
        className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          keepDateChoice(choice);
          // The formats are made once.
          location.reload();
        }}
      >
        <SelectField
          label={words.timeZone}
          value={choice.timeZone ?? ''}
          options={[['', words.own], ...zones.map((zone) => [zone, zone] as const)]}
          onChange={(zone) => change({ timeZone: zone === '' ? null : zone })}
        />
        <SelectField
          label={words.hours}
          value={choice.hours ?? ''}
          options={anyOr(words.own, HOURS, words.hourNames)}
          onChange={(hours) => change({ hours: hours === '' ? null : hours })}
        />
        <SelectField
          label={words.language}
          value={choice.language ?? ''}
          options={anyOr(words.english, LANGUAGES, { own: words.own })}
          onChange={(language) => change({ language: language === '' ? null : language })}
        />
        {choice.language === null && (
          <SelectField
            label={words.order}
            value={choice.order ?? ''}
            options={anyOr(words.own, ORDERS, words.orderNames)}
            onChange={(order) => change({ order: order === '' ? null : order })}
          />
        )}
        <Button type="submit">{words.save}</Button>
      </form>
      <p className="mt-2 text-[13px] text-muted">
        {words.hint} {words.now(formatTime(new Date()))}
      </p>
    </Panel>
  );
}
