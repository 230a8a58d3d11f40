import { useState } from 'react';
import { Button } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { searchTexts } from '../../texts/search.ts';
import { valuesOf, withValue } from './chosen.ts';
import { FacetList } from './facet-list.tsx';
import { FILTER_LABELS, filterText } from './filter-names.ts';
import { RangeFields } from './range-fields.tsx';
import { facetsOf, isFacet, type SearchState } from './search-state.ts';

type Change = (changes: Partial<SearchState>, replace?: boolean) => void;

/** Facets with their counts, and the filters without counts. */
export function Filters({
  state,
  facets,
  values: shown,
  error,
  onChange,
  onValues,
}: {
  state: SearchState;
  facets: Record<string, { value: string; count: number }[]> | undefined;
  /** How many values of each facet are read. */
  values: 'few' | 'many';
  error: Error | null;
  onChange: Change;
  onValues: (values: 'few' | 'many') => void;
}) {
  const [open, setOpen] = useState(false);
  const isAwaited = facets === undefined && error === null;
  return (
    <div className="mb-4">
      <Button
        className="mb-3 w-full lg:hidden"
        aria-expanded={open}
        aria-controls="filters"
        onClick={() => setOpen(!open)}
      >
        {searchTexts.filters}
      </Button>
      <section
        id="filters"
        aria-label={searchTexts.filters}
        className={`space-y-5 max-lg:grid max-lg:grid-cols-1 max-lg:gap-5 max-lg:space-y-0 sm:max-lg:grid-cols-2 ${open ? '' : 'max-lg:hidden'}`}
      >
        {error && <ErrorNote error={error} />}
        {isAwaited && (
          // As high as a screen, so that the fields below do not move into view and away again.
          <div aria-hidden="true" className="h-dvh animate-pulse rounded-xl bg-raised max-lg:hidden" />
        )}
        {facetsOf(state.of).map((facet) => (
          <FacetList
            key={facet}
            facet={facet}
            values={(facets?.[facet] ?? []).filter(({ value }) => value !== '')}
            isWhole={shown === 'many'}
            chosen={state[facet]}
            onChange={(chosen) => onChange({ [facet]: chosen })}
            onMore={() => onValues('many')}
          />
        ))}
        {/* Without facets the fields move up, so they show when that is known. */}
        <div className={`space-y-3 ${isAwaited ? 'lg:invisible' : ''}`}>
          {/* Every key of a number or a date is a change, and no step of the browser's history. */}
          <RangeFields state={state} onChange={(changes) => onChange(changes, true)} />
        </div>
      </section>
    </div>
  );
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ state, onChange }: { state: SearchState; onChange: Change }) {
  const chosen = Object.keys(FILTER_LABELS).flatMap((name) => {
    const values = valuesOf(state[name as keyof SearchState]);
    return values.map((value) => ({
      text: filterText(name, value),
      remove: (): void =>
        onChange({
          [name]: isFacet(name) ? withValue(state[name], value.replace(/^!/, ''), 'open') : undefined,
        }),
    }));
  });
  if (chosen.length === 0) return null;
  return (
    <ul className="mb-3 flex flex-wrap gap-2">
      {chosen.map(({ text, remove }) => (
        <li
          key={text}
          className="flex max-w-full items-center rounded-full bg-accent-soft py-0.5 pr-1 pl-3 text-sm"
        >
          <span className="truncate">{text}</span>
          <button
            type="button"
            aria-label={searchTexts.remove(text)}
            className="ml-1 grid size-6 shrink-0 place-items-center rounded-full hover:bg-surface"
            onClick={remove}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
