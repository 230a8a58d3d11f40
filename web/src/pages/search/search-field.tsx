import { useEffect, useRef, useState } from 'react';
import { KINDS } from '../../api/kinds.ts';
import { QueryHelp, QueryNotices } from '../../components/query-notices.tsx';
import { searchTexts } from '../../texts/search.ts';
import { QueryInput } from './query-input.tsx';
import type { SearchState } from './search-state.ts';

/**
 * Minimum time between two searches while typing, so that a key that is held down does not start one with each repeat.
 */
const BETWEEN_SEARCHES_MS = 40;

interface Searching {
  state: SearchState;
  onChange: (changes: Partial<SearchState>, replace?: boolean) => void;
}

/** The text of the field, which searches while it is typed, and follows the words of the address. */
function useTypedSearch({ state: { q = '' }, onChange }: Searching) {
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searchedAt = useRef(-Infinity);
  const sent = useRef(q);
  if (seen !== q) {
    // The address changed: by this field's own words, which it keeps, by a link, or by the browser's history.
    setSeen(q);
    if (q !== sent.current) setText(q);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (words: string): void => {
    clearTimeout(timer.current);
    searchedAt.current = performance.now();
    sent.current = words.trim();
    onChange({ q: sent.current === '' ? undefined : sent.current }, true);
  };
  const type = (words: string): void => {
    setText(words);
    clearTimeout(timer.current);
    const wait = searchedAt.current + BETWEEN_SEARCHES_MS - performance.now();
    if (wait <= 0) search(words);
    else timer.current = setTimeout(() => search(words), wait);
  };
  return { text, search, type };
}

/** What to search and for which words; results are updated while typing. */
export function SearchField({
  state,
  onChange,
  onLeave,
}: Searching & {
  /** The field was left downwards, to the results. */
  onLeave: () => void;
}) {
  const { text, search, type } = useTypedSearch({ state, onChange });
  return (
    <div>
      <form
        role="search"
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <QueryInput text={text} of={state.of} onType={type} onLeave={onLeave} />
        <SubjectChoice state={state} onChange={onChange} />
      </form>
      <QueryNotices q={state.q ?? ''} of={state.of ?? 'posts'} />
      <QueryHelp />
    </div>
  );
}

function SubjectChoice({ state, onChange }: Searching) {
  return (
    <fieldset className="flex rounded-lg border border-edge bg-surface p-0.5">
      <legend className="sr-only">{searchTexts.ofLabel}</legend>
      {KINDS.lists.subjects.map((of) => (
        <label
          key={of}
          className="flex cursor-pointer items-center rounded-md px-3 py-1.5 text-sm font-medium has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="of"
            className="sr-only"
            checked={(state.of ?? 'posts') === of}
            onChange={() => onChange({ of: of === 'comments' ? of : undefined })}
          />
          {searchTexts.of[of]}
        </label>
      ))}
    </fieldset>
  );
}
