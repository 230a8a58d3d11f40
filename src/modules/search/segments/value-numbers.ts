import { LRUCache } from 'lru-cache';

/** Values that the fields of all workspaces have together at most, some 50 megabytes. */
const MOST_VALUES = 500_000;

/**
 * Numbers for the values of one field, by which rows are counted in arrays: a map of texts, asked for each value of each segment,
 * took half of the time of a facet with many values.
 */
export class ValueNumbers {
  /** What blocks remember whose numbers they have, so that none keeps these in memory. */
  readonly id = Symbol('numbers');
  private readonly numbers = new Map<string, number>();
  private readonly values: string[] = [];

  /** How many values have a number. */
  get size(): number {
    return this.values.length;
  }

  /** The number of a value, which gets the next one if it has none. */
  of(value: string): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      this.numbers.set(value, number);
    }
    return number;
  }

  /** The value with a number. */
  at(number: number): string {
    return this.values[number]!;
  }
}

/** The numbers for the values of fields, by field. */
export type NumbersByField = ReadonlyMap<string, ValueNumbers>;

/** The numbers for the values of the fields that were counted last. */
export class KnownValues {
  private readonly fields: LRUCache<string, ValueNumbers>;

  constructor(maxSize = MOST_VALUES) {
    this.fields = new LRUCache({ maxSize, sizeCalculation: ({ size }) => size + 1 });
  }

  /** The numbers for the values of some fields of a workspace. */
  of(workspaceId: string, fields: readonly string[]): NumbersByField {
    return new Map(
      fields.map((field) => [field, this.fields.get(keyOf(workspaceId, field)) ?? new ValueNumbers()]),
    );
  }

  /** Keeps numbers that a count has added to, unless they have become too many. */
  keep(workspaceId: string, numbers: NumbersByField): void {
    for (const [field, one] of numbers) this.fields.set(keyOf(workspaceId, field), one);
  }
}

const keyOf = (workspaceId: string, field: string): string => `${workspaceId} ${field}`;
