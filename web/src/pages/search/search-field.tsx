import { useEffect, useRef, useState } from 'react';
import { inputClass } from '../../components/controls.tsx';
import { QueryHelp, QueryNotices } from '../../components/query-notices.tsx';
import { searchTexts } from '../../texts/search.ts';
import { isDialogOpen } from '../../layout/shortcuts.ts';
import type { SearchState } from './search-state.ts';

/**
 * Minimum time between two searches while typing, so that a key that is held down does not start one with each repeat.
 */
const BETWEEN_SEARCHES_MS = 40;

/** What to search and for which words; results are updated while typing. */
export function SearchField({
  state,
  onChange,
  onLeave,
}: {
  state: SearchState;
  onChange: (changes: Partial<SearchState>, replace?: boolean) => void;
  /** The field was left downwards, to the results. */
  onLeave: () => void;
}) {
  const q = state.q ?? '';
  const [text, setText] = useState(q);
  const [seen, setSeen] = useState(q);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searchedAt = useRef(-Infinity);
  const sent = useRef(q);
  if (seen !== q) {
    // The address changed: by this field's own words, which it keeps, by a link, or by the browser's history.
    setSeen(q);
    if (q !== sent.current) setText(q);
  }
  const search = (words: string): void => {
    clearTimeout(timer.current);
    searchedAt.current = performance.now();
    sent.current = words.trim();
    onChange({ q: sent.current === '' ? undefined : sent.current }, true);
  };
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches && !isDialogOpen()) input.current?.focus();
    return () => clearTimeout(timer.current);
  }, []);
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
        <input
          ref={input}
          type="search"
          aria-label={searchTexts.label}
          placeholder={searchTexts.placeholder}
          className={`${inputClass} min-h-11! flex-1 basis-64 text-base`}
          value={text}
          maxLength={4000}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            event.currentTarget.blur();
            onLeave();
          }}
          onChange={({ target }) => {
            setText(target.value);
            clearTimeout(timer.current);
            const wait = searchedAt.current + BETWEEN_SEARCHES_MS - performance.now();
            if (wait <= 0) search(target.value);
            else timer.current = setTimeout(() => search(target.value), wait);
          }}
        />
        <fieldset className="flex rounded-lg border border-edge bg-surface p-0.5">
          <legend className="sr-only">{searchTexts.ofLabel}</legend>
          {(['posts', 'comments'] as const).map((of) => (
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
      </form>
      <QueryNotices q={q} of={state.of ?? 'posts'} />
      <QueryHelp />
    </div>
  );
}
