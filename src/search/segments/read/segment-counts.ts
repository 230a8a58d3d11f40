import type { SearchFilter } from '../../search-request.js';
import { type FieldRule, nameKey, type SearchedTable } from '../../searched-table.js';
import { countBits } from '../format/bitmap.js';
import { GroupCounts } from './group-counts.js';
import type { Match } from './match.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Needs } from './segment.js';
import type { NumbersByField } from '../format/term-keys.js';

/** How many rows match. */
export async function countMatching(
  snapshot: SegmentSnapshot,
  filter: SearchFilter,
  match: Match,
): Promise<number> {
  let total = 0;
  await snapshot.eachSegment(match, {}, (_, rows) => {
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
export async function countByValue(
  snapshot: SegmentSnapshot,
  fields: SearchedTable['fields'],
  filter: SearchFilter,
  match: Match,
  numbers: NumbersByField,
  along: Partial<Needs> = {},
): Promise<{ total: number; counts: Map<string, GroupCounts> }> {
  const by = [...numbers.keys()];
  const counts = new Map(
    [...numbers].map(([facet, of]) => [facet, new GroupCounts(fields[facet]!.type, of)]),
  );
  const needs = { ...along, values: numbers };
  let total = 0;
  await snapshot.eachSegment(match, needs, async (segment, rows) => {
    const matching = countBits(rows);
    total += matching;
    if (matching === 0) return;
    const among = matching === segment.rows ? null : rows.slice();
    for (const [facet, groups] of counts)
      groups.addSegment(await segment.values(facet, groups.numbers), among);
  });
  const columns = by.map((facet) => valueColumns(facet, fields[facet]!)).join(', ');
  const changed = await snapshot.changedRows<ChangedRow>(columns, filter);
  for (const [facet, groups] of counts) addChanged(changed, facet, groups);
  return { total: total + changed.length, counts };
}

type ChangedRow = Record<string, string | string[]>;

/** Adds the values of changed rows; equal ones together, because looking up the number of a text takes long. */
function addChanged(rows: readonly ChangedRow[], facet: string, groups: GroupCounts): void {
  const equal = new Map<string, { value: string; spelling: string; count: number }>();
  for (const row of rows)
    for (const spelling of [row[facet]!].flat()) {
      const value = (row[keyColumn(facet)] as string | undefined) ?? spelling;
      const key = `${value}\0${spelling}`;
      const known = equal.get(key);
      if (known !== undefined) known.count += 1;
      else equal.set(key, { value, spelling, count: 1 });
    }
  for (const { value, spelling, count } of equal.values()) groups.add(value, spelling, count);
}

/** Columns with a row's value and with the key under which its spellings count as one. */
export function valueColumns(facet: string, rule: FieldRule): string {
  const { sql, type } = rule;
  const value = `${type === 'list' ? `to_json(${sql})` : sql} AS "${facet}"`;
  return type === 'name' ? `${value}, ${nameKey(rule)} AS "${keyColumn(facet)}"` : value;
}

/** Name of the key's column in the result of {@link valueColumns}. */
export const keyColumn = (facet: string): string => `${facet} key`;
