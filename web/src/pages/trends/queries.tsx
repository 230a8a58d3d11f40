import { useState } from 'react';
import { Button, inputClass } from '../../components/controls.tsx';
import { searchTexts } from '../../texts/search.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { MOST_QUERIES, stateOf, type TrendsState } from './trends-state.ts';

const words = trendsTexts;

/** Up to five queries, each in a field with the search syntax; they take effect together. */
export function Queries({
  queries,
  onChange,
}: {
  queries: readonly string[];
  onChange: (names: TrendsState) => void;
}) {
  const address = queries.join('\n');
  const [seen, setSeen] = useState(address);
  const [fields, setFields] = useState<readonly string[]>(queries.length === 0 ? [''] : queries);
  if (seen !== address) {
    // The address changed: by this form or by the browser's history.
    setSeen(address);
    setFields(queries.length === 0 ? [''] : queries);
  }
  const apply = (next: readonly string[]): void => {
    setFields(next.length === 0 ? [''] : next);
    onChange(stateOf(next));
  };
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        apply(fields);
      }}
    >
      {fields.map((value, index) => (
        <div key={index} className="flex gap-2">
          <input
            aria-label={words.queryNumber(index + 1)}
            placeholder={searchTexts.placeholder}
            className={inputClass}
            maxLength={500}
            autoFocus={index > 0 && value === ''}
            value={value}
            onChange={({ target }) => setFields(fields.map((one, at) => (at === index ? target.value : one)))}
          />
          {fields.length > 1 && (
            <Button
              aria-label={words.remove(index + 1)}
              onClick={() => apply(fields.filter((_, at) => at !== index))}
            >
              <span aria-hidden="true">✕</span>
            </Button>
          )}
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary">
          {words.show}
        </Button>
        <Button disabled={fields.length >= MOST_QUERIES} onClick={() => setFields([...fields, ''])}>
          {words.compare}
        </Button>
      </div>
    </form>
  );
}
