import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { useSession } from '../../api/session.ts';
import { useDelayed } from '../../timers.ts';
import { facetsOf, type SearchState } from './search-state.ts';
import {
  facetOfField,
  fieldSuggestions,
  queryOfBeginning,
  type Suggestion,
  type Typed,
  typedAt,
  valueSuggestions,
} from './suggestions.ts';

const TYPING_MS = 150;
const VALUES = 100;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** The most frequent values of the field that is being typed. */
function useValues(typed: Typed | null, of: SearchState['of']) {
  const { workspace_id } = useSession();
  const facet = facetOfField(typed?.field ?? null);
  const q = useDelayed(facet && queryOfBeginning(facet, typed!.text), TYPING_MS);
  const { data } = useQuery({
    queryKey: keys.suggestedValues(workspace_id, of, facet, q),
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/api/v1/workspaces/{workspace_id}/analytics/facets', {
          params: {
            path: { workspace_id },
            query: { of: of ?? 'posts', by: facet as never, limit: VALUES, ...(q !== undefined && { q }) },
          },
          signal,
        }),
      ),
    enabled: facet !== undefined && facetsOf(of).includes(facet),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return (facet && data?.facets[facet]) ?? [];
}

/** The suggestions for what is being typed into a query, and which of them is chosen. */
export function useSuggestions(query: string, of: SearchState['of']) {
  const [caret, setCaret] = useState<number | null>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const typed = caret === null ? null : typedAt(query, caret);
  const values = useValues(typed, of);
  const found: Suggestion[] =
    typed === null
      ? []
      : typed.field === null
        ? fieldSuggestions(typed)
        : valueSuggestions(typed, values).filter(
            ({ text }) => text.trimEnd() !== query.slice(typed.start, typed.end),
          );
  const at = chosen !== null && chosen < found.length ? chosen : null;
  const moveTo = (place: number | null): void => {
    setCaret(place);
    setChosen(null);
  };
  return {
    typed,
    found,
    /** The place of the chosen one; null for none. */
    chosen: at,
    /** Suggests for the text before this place; null closes the suggestions. */
    moveTo,
    /** Chooses, takes or closes suggestions by a key; false for a key that does none of it. */
    handle: (key: string, take: (suggestion: Suggestion) => void): boolean => {
      if (found.length === 0) return false;
      const step = STEPS[key];
      if (step !== undefined)
        setChosen(((at ?? (step > 0 ? -1 : found.length)) + step + found.length) % found.length);
      else if (key === 'Enter' && at !== null) take(found[at]!);
      else if (key === 'Escape') moveTo(null);
      else return false;
      return true;
    },
  };
}
