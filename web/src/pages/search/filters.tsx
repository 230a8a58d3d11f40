import { useState } from 'react';
import { Button } from '../../components/controls.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatNumber } from '../../format.ts';
import { texts } from '../../texts.ts';
import { FILTER_LABELS, filterText, filterValue } from './filter-names.ts';
import { RangeFields } from './range-fields.tsx';
import { FACET_VALUES } from './search-queries.ts';
import { type Facet, facetsOf, type SearchState } from './search-state.ts';

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
  /** How many values of each facet are shown. */
  values: 'few' | 'many';
  error: Error | null;
  onChange: Change;
  onValues: (values: 'few' | 'many') => void;
}) {
  const [open, setOpen] = useState(false);
  const hasMore =
    shown === 'many' || Object.values(facets ?? {}).some(({ length }) => length >= FACET_VALUES.few);
  return (
    <div className="mb-4">
      <Button
        className="mb-3 w-full lg:hidden"
        aria-expanded={open}
        aria-controls="filters"
        onClick={() => setOpen(!open)}
      >
        {texts.search.filters}
      </Button>
      <section
        id="filters"
        aria-label={texts.search.filters}
        className={`space-y-5 max-lg:grid max-lg:grid-cols-1 max-lg:gap-5 max-lg:space-y-0 sm:max-lg:grid-cols-2 ${open ? '' : 'max-lg:hidden'}`}
      >
        {error && <ErrorNote error={error} />}
        {facetsOf(state.of).map((facet) => {
          const values = (facets?.[facet] ?? []).filter(({ value }) => value !== '');
          return values.length === 0 ? null : (
            <FacetList key={facet} facet={facet} values={values} chosen={state[facet]} onChange={onChange} />
          );
        })}
        {hasMore && (
          <Button onClick={() => onValues(shown === 'few' ? 'many' : 'few')}>
            {shown === 'few' ? texts.search.moreValues : texts.search.fewerValues}
          </Button>
        )}
        <div className="space-y-3">
          {/* Every key of a number or a date is a change, and no step of the browser's history. */}
          <RangeFields state={state} onChange={(changes) => onChange(changes, true)} />
        </div>
      </section>
    </div>
  );
}

function FacetList({
  facet,
  values,
  chosen,
  onChange,
}: {
  facet: Facet;
  values: { value: string; count: number }[];
  chosen: string | undefined;
  onChange: Change;
}) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{texts.search.facets[facet]}</legend>
      <ul>
        {values.map(({ value, count }) => (
          <li key={value}>
            <label className="flex cursor-pointer items-center gap-2 rounded-md px-1 py-1 text-sm hover:bg-raised">
              <input
                type="checkbox"
                className="size-3.5 shrink-0 accent-accent"
                checked={chosen?.toLowerCase() === value.toLowerCase()}
                onChange={({ target }) => onChange({ [facet]: target.checked ? value : undefined })}
              />
              <span className="min-w-0 flex-1 truncate" title={value}>
                {filterValue(facet, value)}
              </span>
              <span className="text-[13px] text-muted tabular-nums">{formatNumber(count)}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** The active filters, each with a button that removes it. */
export function FilterChips({ state, onChange }: { state: SearchState; onChange: Change }) {
  const chosen = Object.keys(FILTER_LABELS).flatMap((name) => {
    const value = state[name as keyof SearchState];
    return value === undefined ? [] : [{ name, text: filterText(name, value) }];
  });
  if (chosen.length === 0) return null;
  return (
    <ul className="mb-3 flex flex-wrap gap-2">
      {chosen.map(({ name, text }) => (
        <li
          key={name}
          className="flex max-w-full items-center rounded-full bg-accent-soft py-0.5 pr-1 pl-3 text-sm"
        >
          <span className="truncate">{text}</span>
          <button
            type="button"
            aria-label={texts.search.remove(text)}
            className="ml-1 grid size-6 shrink-0 place-items-center rounded-full hover:bg-surface"
            onClick={() => onChange({ [name]: undefined })}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
