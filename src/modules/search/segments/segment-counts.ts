import type { FacetRule, SearchedTable } from '../searched-table.js';
import { countBits } from './bitmap.js';
import { GroupCounts } from './group-counts.js';
import type { Match } from './match.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Needs } from './segment.js';
import { fieldPrefix } from './term-keys.js';
import type { NumbersByField } from './value-numbers.js';

/** How many rows match. */
export async function countMatching<Filter extends { q?: string }>(
  snapshot: SegmentSnapshot<Filter>,
  filter: Filter,
  match: Match,
): Promise<number> {
  let total = 0;
  await snapshot.eachSegment(match, { terms: [], columns: [] }, (_, rows) => {
    total += countBits(rows);
  });
  for (const { count } of await snapshot.changedRows<{ count: number }>('count(*)::int AS count', filter))
    total += count;
  return total;
}

/**
 * Matching rows by the values of each facet that `numbers` has, and the number of matching rows. Data read `along` is
 * cached for later searches.
 */
export async function countByValue<Filter extends { q?: string }>(
  snapshot: SegmentSnapshot<Filter>,
  facets: SearchedTable<Filter, string>['facets'],
  filter: Filter,
  match: Match,
  numbers: NumbersByField,
  along: Pick<Needs, 'columns'> & Partial<Needs> = { columns: [] },
): Promise<{ total: number; counts: Map<string, GroupCounts> }> {
  const by = [...numbers.keys()];
  const counts = new Map(
    [...numbers].map(([facet, of]) => [facet, new GroupCounts(facets[facet]!.kind, of)]),
  );
  const needs = { ...along, terms: by.map((facet) => ({ key: fieldPrefix(facet), isWhole: false })) };
  let total = 0;
  await snapshot.eachSegment(match, needs, (segment, rows) => {
    const matching = countBits(rows);
    total += matching;
    if (matching === 0) return;
    const among = matching === segment.rows ? null : rows;
    for (const [facet, groups] of counts)
      segment.countValues(fieldPrefix(facet), groups.numbers, among, (number, detail, count) =>
        groups.add(number, detail, count),
      );
  });
  const columns = by.map((facet) => valueColumns(facet, facets[facet]!)).join(', ');
  for (const row of await snapshot.changedRows<Record<string, string | string[]>>(columns, filter)) {
    total += 1;
    for (const [facet, groups] of counts)
      for (const value of [row[facet]!].flat())
        groups.add(groups.numbers.of((row[keyColumn(facet)] as string | undefined) ?? value), value, 1);
  }
  return { total, counts };
}

/** Columns with a row's value and with the key under which its spellings count as one. */
export function valueColumns(facet: string, { expression, kind }: FacetRule): string {
  const value = `${kind === 'list' ? `to_json(${expression})` : expression} AS "${facet}"`;
  return kind === 'name' ? `${value}, lower(${expression}) AS "${keyColumn(facet)}"` : value;
}

/** Name of the key's column in the result of {@link valueColumns}. */
export const keyColumn = (facet: string): string => `${facet} key`;
