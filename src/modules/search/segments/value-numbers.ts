import { LRUCache } from 'lru-cache';

/** Maximum number of values of the fields of all workspaces together, about 50 MB. */
const MOST_VALUES = 500_000;

/**
 * Numbers for the values of one field, so that rows are counted in arrays. Looking up every value of every segment in a
 * map by its text took half the time of a facet with many values.
 */
export class ValueNumbers {
  /** Identifies these numbers in blocks, which would otherwise keep the whole object in memory. */
  readonly id = Symbol('numbers');
  private readonly numbers = new Map<string, number>();
  private readonly values: string[] = [];

  /** How many values have a number. */
  get size(): number {
    return this.values.length;
  }

  /** The number of a value; a new value gets the next number. */
  of(value: string): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.push(value) - 1;
      this.numbers.set(value, number);
    }
    return number;
  }

  /** The value of a number. */
  at(number: number): string {
    return this.values[number]!;
  }
}

/** Value numbers by field. */
export type NumbersByField = ReadonlyMap<string, ValueNumbers>;

/** The value numbers of the most recently counted fields. */
export class KnownValues {
  private readonly fields: LRUCache<string, ValueNumbers>;

  constructor(maxSize = MOST_VALUES) {
    this.fields = new LRUCache({ maxSize, sizeCalculation: ({ size }) => size + 1 });
  }

  /** The value numbers of a workspace's fields. */
  of(workspaceId: string, fields: readonly string[]): NumbersByField {
    return new Map(
      fields.map((field) => [field, this.fields.get(keyOf(workspaceId, field)) ?? new ValueNumbers()]),
    );
  }

  /** Keeps numbers to which a count has added, unless there are too many of them. */
  keep(workspaceId: string, numbers: NumbersByField): void {
    for (const [field, one] of numbers) this.fields.set(keyOf(workspaceId, field), one);
  }
}

const keyOf = (workspaceId: string, field: string): string => `${workspaceId} ${field}`;
