import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sourcesQuery } from '../api/sources.ts';
import { choices } from '../choices.ts';
import { alertsTexts } from '../texts/alerts.ts';
import { SelectField, TextField } from './controls.tsx';

const words = alertsTexts;

/** Whether the service itself listens, and to which sources, separated by commas; empty if it does not. */
export function ListenField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const { data: known } = useQuery(sourcesQuery);
  const forms = (known?.sources ?? []).flatMap(({ listen }) => listen?.form ?? []);
  // A cleared field stays until the choice is changed.
  const [isAnywhere, setAnywhere] = useState(value !== '');
  return (
    <>
      <SelectField
        label={words.listen}
        hint={words.listenHint}
        error={isAnywhere ? undefined : error}
        value={isAnywhere ? 'anywhere' : 'places'}
        options={choices(['places', 'anywhere'], words.listenNames)}
        onChange={(where) => {
          setAnywhere(where === 'anywhere');
          onChange(where === 'anywhere' ? 'bluesky' : '');
        }}
      />
      {isAnywhere && (
        <TextField
          label={words.listenSources}
          hint={words.listenForms(forms.join(', '))}
          error={error}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={onChange}
        />
      )}
    </>
  );
}
