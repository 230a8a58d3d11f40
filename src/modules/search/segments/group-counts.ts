import type { FacetRule } from '../searched-table.js';

interface Group {
  /** The first spelling in byte order. */
  value: string;
  count: number;
}

/** A value and how many rows have it. */
export interface ValueCount {
  value: string;
  count: number;
}

/** Order of texts by their bytes, the same on every machine. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Counts of rows by value; spellings of a name count as one. */
export class GroupCounts {
  private readonly groups = new Map<string, Group>();

  constructor(private readonly kind: FacetRule['kind']) {}

  /** Adds rows that have a value; `key` is the name in lower case, or the value itself. */
  add(key: string, spelling: string, count: number): void {
    const group = this.groups.get(key);
    const value = this.kind === 'name' ? spelling : key;
    if (group === undefined) this.groups.set(key, { value, count });
    else {
      group.count += count;
      if (group.value !== value && compareBytes(value, group.value) < 0) group.value = value;
    }
  }

  /** How many rows have a value; 0 when none has. */
  countOf(key: string): number {
    return this.groups.get(key)?.count ?? 0;
  }

  /** The most frequent values, at most `limit`; ties in byte order. */
  top(limit: number): ValueCount[] {
    const groups = [...this.groups.values()];
    const counts = Float64Array.from(groups, ({ count }) => count).sort();
    // Of many values only those are compared that can be among the first.
    const least = counts[Math.max(0, counts.length - limit)] ?? 0;
    return groups
      .filter(({ count }) => count >= least)
      .sort((a, b) => b.count - a.count || compareBytes(a.value, b.value))
      .slice(0, limit);
  }
}
