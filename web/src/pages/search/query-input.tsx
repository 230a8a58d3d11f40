import { type KeyboardEvent, useEffect, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { inputClass } from '../../components/controls.tsx';
import { CodeText } from '../../components/query-notices.tsx';
import { formatNumber } from '../../format.ts';
import { isCovered } from '../../layout/keys.ts';
import { searchTexts } from '../../texts/search.ts';
import type { SearchState } from './search-state.ts';
import { applied, type Suggestion } from './suggestions.ts';
import { useSuggestions } from './use-suggestions.ts';

/** The field for the words of a search, which suggests fields of the query language and their values. */
export function QueryInput({
  text,
  of,
  onType,
  onLeave,
}: {
  text: string;
  of: SearchState['of'];
  onType: (text: string) => void;
  /** The field was left downwards, to the results. */
  onLeave: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { typed, found, chosen, handle, moveTo } = useSuggestions(text, of);
  useEffect(() => {
    if (matchMedia('(hover: hover)').matches && !isCovered()) input.current?.focus();
  }, []);
  const take = (suggestion: Suggestion): void => {
    const { query, caret } = applied(text, typed!, suggestion);
    flushSync(() => onType(query));
    input.current?.setSelectionRange(caret, caret);
    moveTo(suggestion.text.endsWith(' ') ? null : caret);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (!handle(event.key, take)) {
      if (event.key !== 'ArrowDown' && event.key !== 'Escape') return;
      event.currentTarget.blur();
      if (event.key === 'ArrowDown') onLeave();
    }
    event.preventDefault();
  };
  return (
    <div className="relative flex-1 basis-64">
      <input
        ref={input}
        type="search"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={found.length > 0}
        aria-controls={found.length > 0 ? id : undefined}
        aria-activedescendant={chosen === null ? undefined : `${id}-${chosen}`}
        aria-label={searchTexts.label}
        placeholder={searchTexts.placeholder}
        className={`${inputClass} min-h-11! text-base`}
        value={text}
        maxLength={4000}
        onKeyDown={onKeyDown}
        onBlur={() => moveTo(null)}
        onChange={({ target }) => {
          onType(target.value);
          moveTo(target.selectionStart);
        }}
      />
      {found.length > 0 && <Suggestions id={id} found={found} chosen={chosen} onTake={take} />}
    </div>
  );
}

function Suggestions({
  id,
  found,
  chosen,
  onTake,
}: {
  id: string;
  found: readonly Suggestion[];
  chosen: number | null;
  onTake: (suggestion: Suggestion) => void;
}) {
  return (
    <ul
      id={id}
      role="listbox"
      aria-label={searchTexts.suggestions}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-80 overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-xl"
    >
      {found.map((suggestion, index) => (
        <li
          key={suggestion.text}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className="flex cursor-pointer items-baseline justify-between gap-4 rounded-lg px-2.5 py-1.5 text-sm hover:bg-raised aria-selected:bg-accent-soft"
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(suggestion)}
        >
          <span className="min-w-0 truncate font-mono text-[13px]">{suggestion.text.trim()}</span>
          <span className="min-w-0 truncate text-[13px] text-muted tabular-nums">
            {typeof suggestion.meaning === 'number' ? (
              formatNumber(suggestion.meaning)
            ) : (
              <CodeText text={suggestion.meaning} />
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
