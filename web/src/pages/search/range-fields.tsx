import { SelectField, TextField } from '../../components/controls.tsx';
import { searchTexts } from '../../texts/search.ts';
import { flagsOf, rangesOf, type SearchState } from './search-state.ts';

/** The filters that are not facets: a period, minimum and maximum of a number, and booleans. */
export function RangeFields({
  state,
  errorOf = () => undefined,
  onChange,
}: {
  state: SearchState;
  errorOf?: (name: keyof SearchState) => string | undefined;
  onChange: (changes: Partial<SearchState>) => void;
}) {
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          label={searchTexts[name]}
          type="date"
          value={state[name] ?? ''}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      {rangesOf(state.of).map((name) => (
        <TextField
          key={name}
          label={searchTexts.ranges[name]}
          error={errorOf(name)}
          type="number"
          value={state[name] ?? ''}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      {flagsOf(state.of).map((name) => (
        <SelectField
          key={name}
          label={searchTexts.flags[name]}
          value={state[name] ?? ''}
          options={[['', searchTexts.any], ...Object.entries(searchTexts.yesNo)]}
          onChange={(value) => onChange({ [name]: value as '' })}
        />
      ))}
    </>
  );
}
