import type { FacetRule, SearchedTable } from '../searched-table.js';
import { type Bitmap, countBits } from './bitmap.js';
import { GroupCounts } from './group-counts.js';
import type { Match } from './match.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Needs, Segment } from './segment.js';
import { fieldPrefix } from './term-keys.js';

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

/** Matching rows by the values of each facet, and how many match. What is read `along` is kept in memory for later searches. */
export async function countByValue<Filter extends { q?: string }>(
  snapshot: SegmentSnapshot<Filter>,
  facets: SearchedTable<Filter, string>['facets'],
  filter: Filter,
  match: Match,
  by: readonly string[],
  along: Pick<Needs, 'columns'> & Partial<Needs> = { columns: [] },
): Promise<{ total: number; counts: Map<string, GroupCounts> }> {
  const rules = by.map((facet): [string, FacetRule] => [facet, facets[facet]!]);
  const counts = new Map(rules.map(([facet, { kind }]) => [facet, new GroupCounts(kind)]));
  const needs = { ...along, terms: by.map((facet) => ({ key: fieldPrefix(facet), isWhole: false })) };
  let total = 0;
  await snapshot.eachSegment(match, needs, (segment, rows) => {
    const matching = countBits(rows);
    total += matching;
    if (matching === 0) return;
    for (const [facet, groups] of counts) countTerms(segment, fieldPrefix(facet), rows, matching, groups);
  });
  const columns = rules.map(([facet, rule]) => valueColumns(facet, rule)).join(', ');
  for (const row of await snapshot.changedRows<Record<string, string | string[]>>(columns, filter)) {
    total += 1;
    for (const [facet, groups] of counts)
      for (const value of [row[facet]!].flat())
        groups.add((row[keyColumn(facet)] as string | undefined) ?? value, value, 1);
  }
  return { total, counts };
}

/** Columns with the value of a row, and with the key under which its spellings count as one. */
export function valueColumns(facet: string, { expression, kind }: FacetRule): string {
  const value = `${kind === 'list' ? `to_json(${expression})` : expression} AS "${facet}"`;
  return kind === 'name' ? `${value}, lower(${expression}) AS "${keyColumn(facet)}"` : value;
}

/** The column of a row that {@link valueColumns} names for the key. */
export const keyColumn = (facet: string): string => `${facet} key`;

function countTerms(
  segment: Segment,
  prefix: string,
  rows: Bitmap,
  matching: number,
  groups: GroupCounts,
): void {
  segment.countValues(prefix, matching === segment.rows ? null : rows, (value, detail, count) =>
    groups.add(value, detail, count),
  );
}
