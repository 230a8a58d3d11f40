import type { SavedSearch } from './saved-search.entity.js';

/** Filters of lists that say something of a text that was just written, with their fields in the language of `q`. */
const FIELDS = { forum: 'forum', source: 'source', language: 'lang' } as const;

/** The query by which a search listens: its `q`, and those of its filters that new texts can be compared with. */
export function listenedQuery({ q, filters }: Pick<SavedSearch, 'q' | 'filters'>): string {
  const given = filters as Record<string, string | string[] | undefined>;
  const conditions = Object.entries(FIELDS).flatMap(([filter, field]) => {
    const values = [given[filter] ?? []].flat().map((value) => value.replaceAll('"', ' '));
    const named = (value: string): string => `${field}:"${value}"`;
    const wanted = values.filter((value) => !value.startsWith('!')).map(named);
    const unwanted = values
      .filter((value) => value.startsWith('!'))
      .map((value) => `-${named(value.slice(1))}`);
    return [...(wanted.length > 0 ? [`(${wanted.join(' OR ')})`] : []), ...unwanted];
  });
  return [`(${q ?? ''})`, ...conditions].join(' ');
}
