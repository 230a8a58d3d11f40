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
