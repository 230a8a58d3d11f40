import { LRUCache } from 'lru-cache';
import { ByteStrings } from './byte-strings.js';
import { endOfValue, fieldPrefix, valueKey } from './term-keys.js';

/** Maximum number of keys of the fields of all workspaces together, about 50 MB. */
const MOST_KEYS = 500_000;

let lastId = 0;

/**
 * Numbers for the values of one field and for their keys, so that rows are counted in arrays. A key is a value with its
 * spelling or its ordinal among equal values of a list, as in terms.
 */
export class ValueNumbers {
  /** Identifies these numbers in caches. */
  readonly id = (lastId += 1);
  private readonly keys = new ByteStrings();
  private readonly values = new ByteStrings();
  /** The number of the value of each key. */
  private readonly valuesOfKeys: number[] = [];

  /** How many keys have a number. */
  get size(): number {
    return this.keys.size;
  }

  /** How many values have a number. */
  get valueCount(): number {
    return this.values.size;
  }

  /** The number of the key between two offsets; a new key gets the next number. */
  of(source: Buffer, start: number, end: number): number {
    const key = this.keys.of(source, start, end);
    if (key === this.valuesOfKeys.length)
      this.valuesOfKeys.push(this.values.of(source, start, endOfValue(source, start)));
    return key;
  }

  /** As {@link ValueNumbers.of}, for a value and its detail as texts. */
  ofText(value: string, detail: string): number {
    const key = Buffer.from(valueKey('', value, detail));
    return this.of(key, fieldPrefix('').length, key.length);
  }

  /** The number of the value of a key. */
  valueOf(key: number): number {
    return this.valuesOfKeys[key]!;
  }

  /** The number of a value; -1 when it has none. */
  findValue(value: string): number {
    const bytes = Buffer.from(value);
    return this.values.find(bytes, 0, bytes.length);
  }

  /** The value with a number. */
  valueAt(value: number): string {
    return this.values.at(value).toString();
  }

  /** The detail of a key: the spelling of its value, or its ordinal among equal values of a list. */
  detailAt(key: number): string {
    const bytes = this.keys.at(key);
    return bytes.toString('utf8', endOfValue(bytes, 0) + 1);
  }
}

/** Value numbers by field. */
export type NumbersByField = ReadonlyMap<string, ValueNumbers>;

/** The value numbers of the most recently counted fields. */
export class KnownValues {
  private readonly fields: LRUCache<string, ValueNumbers>;

  constructor(maxSize = MOST_KEYS) {
    this.fields = new LRUCache({ maxSize, sizeCalculation: ({ size }) => size + 1 });
  }

  /** The value numbers of a workspace's fields. */
  of(workspaceId: string, fields: readonly string[]): NumbersByField {
    return new Map(fields.map((field) => [field, this.ofField(keyOf(workspaceId, field))]));
  }

  /** Kept from the start, so that searches that count a field at the same time use the same numbers. */
  private ofField(key: string): ValueNumbers {
    const known = this.fields.get(key) ?? new ValueNumbers();
    this.fields.set(key, known);
    return known;
  }

  /** Keeps numbers to which a count has added, unless there are too many of them. */
  keep(workspaceId: string, numbers: NumbersByField): void {
    for (const [field, one] of numbers) {
      const key = keyOf(workspaceId, field);
      // The cache computes the size of an entry only when it is not there yet.
      this.fields.delete(key);
      this.fields.set(key, one);
    }
  }
}

const keyOf = (workspaceId: string, field: string): string => `${workspaceId} ${field}`;
