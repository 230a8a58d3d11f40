import { LRUCache } from 'lru-cache';

/** Prefix of lexeme keys; no facet has this name. */
const WORD = 'w';
/** Ends the part of a key that is compared. Postgres text cannot contain this character. */
const END = '\0';

/** The key of a lexeme, or the prefix of the keys of all lexemes that begin with it. */
export const wordKey = (lexeme: string): string => `${WORD}:${lexeme}`;

/** Whether a key belongs to a lexeme; the postings of lexemes count occurrences. */
export const isWordKey = (key: string): boolean => key.startsWith(`${WORD}:`);

/** The prefix of the keys of all values of a field. */
export const fieldPrefix = (field: string): string => `${field}=`;

/** The prefix of the keys of one value of a field, in all its spellings. */
export const valuePrefix = (field: string, value: string): string => `${fieldPrefix(field)}${value}${END}`;

/** The key of a value of a field. `detail` is its spelling, or its ordinal among equal values of a list. */
export const valueKey = (field: string, value: string, detail: string): string =>
  `${valuePrefix(field, value)}${detail}`;

/** Offset of the end of the value in a key without its field, which begins at `start`. */
export const endOfValue = (key: Buffer, start: number): number => key.indexOf(0, start);

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

  /** The bytes of the value of a key. They must not be changed. */
  valueBytes(key: number): Buffer {
    return this.values.at(this.valueOf(key));
  }

  /** The bytes of a key's detail: the spelling of its value, or its ordinal among equal values of a list. */
  detailBytes(key: number): Buffer {
    const bytes = this.keys.at(key);
    return bytes.subarray(endOfValue(bytes, 0) + 1);
  }

  /** About the memory that the numbers take, in bytes. */
  get bytes(): number {
    return this.keys.bytesUsed + this.values.bytesUsed + this.size * Float64Array.BYTES_PER_ELEMENT;
  }
}

/** Value numbers by field. */
export type NumbersByField = ReadonlyMap<string, ValueNumbers>;

/** The value numbers of the most recently counted fields, up to a number of bytes. */
export class KnownValues {
  private readonly fields: LRUCache<string, ValueNumbers>;

  constructor(maxSize: number) {
    this.fields = new LRUCache({ maxSize, sizeCalculation: ({ bytes }) => bytes + 1 });
  }

  /** About the bytes that all numbers take. */
  get bytes(): number {
    return this.fields.calculatedSize;
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

  /** Keeps numbers to which a count has added, unless they take more memory than all may take. */
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

const FREE = 0;
const FIRST_STRINGS = 64;
const FIRST_BYTES = 1_024;

/**
 * Numbers distinct strings of bytes from zero on. Looks them up by their bytes where they lie, since making a text of
 * each takes several times as long.
 */
export class ByteStrings {
  private count = 0;
  /** All strings, one after another. */
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  /** Where each string ends, after the 0 at which the first one begins. */
  private ends = new Uint32Array(FIRST_STRINGS);
  private hashes = new Int32Array(FIRST_STRINGS);
  /** A hash table of numbers plus one; its length is a power of two. */
  private slots = new Int32Array(FIRST_STRINGS * 2);

  /** How many strings have a number. */
  get size(): number {
    return this.count;
  }

  /** About the memory that the strings take. */
  get bytesUsed(): number {
    return this.bytes.length + this.ends.byteLength + this.hashes.byteLength + this.slots.byteLength;
  }

  /** The number of the string between two offsets; a new string gets the next number. */
  of(source: Buffer, start: number, end: number): number {
    const hash = hashOf(source, start, end);
    const slot = this.slotOf(hash, source, start, end);
    const found = this.slots[slot]!;
    if (found !== FREE) return found - 1;
    this.slots[slot] = this.append(hash, source, start, end) + 1;
    if (this.count * 2 > this.slots.length) this.rehash();
    return this.count - 1;
  }

  /** The number of the string between two offsets; -1 when it has none. */
  find(source: Buffer, start: number, end: number): number {
    return this.slots[this.slotOf(hashOf(source, start, end), source, start, end)]! - 1;
  }

  /** The bytes of the string with a number. They must not be changed. */
  at(number: number): Buffer {
    return this.bytes.subarray(this.ends[number], this.ends[number + 1]);
  }

  /** The slot with a string, or the free one where it belongs. */
  private slotOf(hash: number, source: Buffer, start: number, end: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.slots[slot]! - 1;
      if (number < 0 || (this.hashes[number] === hash && this.isAt(number, source, start, end))) return slot;
    }
  }

  private isAt(number: number, source: Buffer, start: number, end: number): boolean {
    const own = this.ends[number]!;
    if (this.ends[number + 1]! - own !== end - start) return false;
    for (let at = start; at < end; at += 1) if (this.bytes[own + at - start] !== source[at]) return false;
    return true;
  }

  private append(hash: number, source: Buffer, start: number, end: number): number {
    const number = this.count;
    const begin = this.ends[number]!;
    const next = begin + end - start;
    if (next > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(next, this.bytes.length * 2));
      this.bytes.copy(larger);
      this.bytes = larger;
    }
    source.copy(this.bytes, begin, start, end);
    if (number + 1 === this.ends.length) {
      this.ends = doubled(this.ends, Uint32Array);
      this.hashes = doubled(this.hashes, Int32Array);
    }
    this.ends[number + 1] = next;
    this.hashes[number] = hash;
    this.count += 1;
    return number;
  }

  private rehash(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    const mask = this.slots.length - 1;
    for (let number = 0; number < this.count; number += 1) {
      let slot = this.hashes[number]! & mask;
      while (this.slots[slot] !== FREE) slot = (slot + 1) & mask;
      this.slots[slot] = number + 1;
    }
  }
}

function doubled<Numbers extends Int32Array | Uint32Array>(
  numbers: Numbers,
  Kind: new (length: number) => Numbers,
): Numbers {
  const larger = new Kind(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** FNV-1a, mixed so that its low bits differ for similar strings. */
function hashOf(source: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ source[at]!, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return hash ^ (hash >>> 15);
}
