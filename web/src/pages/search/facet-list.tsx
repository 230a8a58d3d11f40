import { lazy, Suspense, useState } from 'react';
import { inputClass } from '../../components/controls.tsx';
import { formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { type Chosen, stateOf, valuesOf, withValue } from './chosen.ts';
import { filterValue } from './filter-names.ts';
import { FACET_VALUES } from './search-queries.ts';
import type { Facet } from './search-state.ts';

const ForumChoices = lazy(async () => ({
  default: (await import('../../components/forum-choices.tsx')).ForumChoices,
}));

interface FacetProps {
  facet: Facet;
  values: { value: string; count: number }[];
  /** Whether the values are more than the few most frequent ones. */
  isWhole: boolean;
  chosen: Chosen | undefined;
  onChange: (chosen: Chosen | undefined) => void;
  onMore: () => void;
}

/** The values of a facet: several can be chosen, others excluded, and many searched. */
export function FacetList({ facet, values, isWhole, chosen, onChange, onMore }: FacetProps) {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const known = new Set(values.map(({ value }) => value.toLowerCase()));
  const missing = valuesOf(chosen)
    .map((value) => value.replace(/^!/, ''))
    .filter((value) => !known.has(value.toLowerCase()))
    .map((value) => ({ value, count: 0 }));
  const all = [...missing, ...values];
  if (all.length === 0) return null;
  const wanted = words.trim().toLowerCase();
  const shown = isOpen
    ? all.filter(({ value }) => filterValue(facet, value).toLowerCase().includes(wanted))
    : all.filter(({ value }, index) => index < FACET_VALUES.few || stateOf(chosen, value) !== 'open');
  const more = isOpen ? searchTexts.fewerValues : searchTexts.moreValues;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{searchTexts.facets[facet]}</legend>
      {isOpen && (
        <FindValue
          facet={facet}
          words={words}
          onWords={setWords}
          // One value that is listed, or what was typed, since many values are not listed.
          onEnter={(typed) =>
            onChange(withValue(chosen, shown.length === 1 ? shown[0]!.value : typed, 'some'))
          }
        />
      )}
      <ul className={isOpen ? 'max-h-72 overflow-y-auto' : undefined}>
        {shown.map(({ value, count }) => (
          <Value
            key={value}
            name={filterValue(facet, value)}
            count={count}
            state={stateOf(chosen, value)}
            onState={(state) => onChange(withValue(chosen, value, state))}
          />
        ))}
      </ul>
      {isOpen && isWhole && shown.length === 0 && (
        <p className="px-1 text-[13px] text-muted">{searchTexts.noSuchValue}</p>
      )}
      {values.length >= FACET_VALUES.few && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${more}: ${searchTexts.facets[facet]}`}
          className="mt-0.5 rounded-md px-1 py-1 text-[13px] text-accent hover:underline"
          onClick={() => {
            setOpen(!isOpen);
            setWords('');
            if (!isOpen) onMore();
          }}
        >
          {more}
        </button>
      )}
    </fieldset>
  );
}

/** The field that finds a value of a long list, or takes one that is not listed. */
function FindValue({
  facet,
  words,
  onWords,
  onEnter,
}: {
  facet: Facet;
  words: string;
  onWords: (words: string) => void;
  onEnter: (typed: string) => void;
}) {
  return (
    <>
      <input
        type="text"
        aria-label={searchTexts.findValue(searchTexts.facets[facet])}
        placeholder={searchTexts.findValuePlaceholder}
        className={`${inputClass} mb-1 min-h-8! py-1! text-sm!`}
        autoFocus
        enterKeyHint="done"
        {...(facet === 'forum' && { list: 'forum-choices' })}
        value={words}
        onChange={({ target }) => onWords(target.value)}
        onKeyDown={({ key }) => {
          if (key !== 'Enter' || words.trim() === '') return;
          onEnter(words.trim());
          onWords('');
        }}
      />
      {facet === 'forum' && (
        <Suspense>
          <ForumChoices id="forum-choices" />
        </Suspense>
      )}
    </>
  );
}

function Value({
  name,
  count,
  state,
  onState,
}: {
  name: string;
  count: number;
  state: 'some' | 'none' | 'open';
  onState: (state: 'some' | 'none' | 'open') => void;
}) {
  return (
    <li className="group flex items-center rounded-md hover:bg-raised">
      <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2 px-1 py-1 text-sm">
        <input
          type="checkbox"
          className="size-3.5 shrink-0 accent-accent"
          checked={state === 'some'}
          onChange={({ target }) => onState(target.checked ? 'some' : 'open')}
        />
        <span
          className={`min-w-0 flex-1 truncate ${state === 'none' ? 'text-muted line-through' : ''}`}
          title={name}
        >
          {name}
        </span>
        <span className="text-[13px] text-muted tabular-nums">{formatNumber(count)}</span>
      </label>
      <button
        type="button"
        aria-label={searchTexts.exclude(name)}
        aria-pressed={state === 'none'}
        title={searchTexts.exclude(name)}
        className={`grid size-6 shrink-0 place-items-center rounded-md text-muted hover:bg-surface hover:text-bad ${state === 'none' ? 'text-bad' : 'pointer-fine:opacity-0 group-hover:opacity-100 focus-visible:opacity-100'}`}
        onClick={() => onState(state === 'none' ? 'open' : 'none')}
      >
        <span aria-hidden="true">⊘</span>
      </button>
    </li>
  );
}
