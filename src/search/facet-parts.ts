import type { FacetsRequest } from './search-request.js';

/**
 * The requests that together count each field without the filter by that field. The first has the whole filter, and so
 * the total; it counts the fields without a filter of their own.
 */
export function facetParts(request: FacetsRequest): [FacetsRequest, ...FacetsRequest[]] {
  const { table, filter } = request;
  const ownFilters = (field: string): string[] =>
    Object.entries(filter)
      .filter(([name, value]) => value !== undefined && table.filters[name]?.field === field)
      .map(([name]) => name);
  const plain = request.by.filter((field) => ownFilters(field).length === 0);
  const chosen = request.by.filter((field) => ownFilters(field).length > 0);
  return [
    { ...request, by: plain },
    ...chosen.map((field) => {
      const own = ownFilters(field);
      const rest = Object.fromEntries(Object.entries(filter).filter(([name]) => !own.includes(name)));
      return { ...request, filter: rest, by: [field] };
    }),
  ];
}
