import { addToHash, EMPTY_HASH, mixBits } from '../../../common/hash.js';

/** Numbers the tokens of keywords. A token is given by its UTF-16 code units and their rolling hash. */
export interface Vocabulary {
  /** The token's number, from 0; -1 when no keyword has it. */
  idOf(units: Uint16Array, length: number, hash: number): number;
}

/** Adds and numbers every token; used while keywords are compiled. */
export class GrowingVocabulary implements Vocabulary {
  /** UTF-16 code units of all tokens together. */
  units = 0;
  private readonly ids = new Map<string, number>();

  idOf(units: Uint16Array, length: number): number {
    const token = String.fromCharCode(...units.subarray(0, length));
    const known = this.ids.get(token);
    if (known !== undefined) return known;
    this.units += length;
    this.ids.set(token, this.ids.size);
    return this.ids.size - 1;
  }

  get size(): number {
    return this.ids.size;
  }

  /** In order of their numbers. */
  tokens(): Iterable<string> {
    return this.ids.keys();
  }
}

/** Layout of a slot: id + 1 (0 if free), hash, where the token begins in the pool, its length. */
const SLOT = 4;

/**
 * Finds tokens without creating strings. Nearly every word of a text belongs to no keyword; a filter of 16 bits per
 * token rejects those without touching the table. All data of a token is stored together, because with many keywords
 * the time is dominated by cache misses. With a `Map`, about 30 % fewer posts are matched a second
 * (docs/benchmarks.md).
 */
export class FrozenVocabulary implements Vocabulary {
  private readonly filter: Uint32Array;
  private readonly filterMask: number;
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  private readonly pool: Uint16Array;
  private pooled = 0;
  private size = 0;

  /** An empty vocabulary with room for `size` tokens of `units` UTF-16 code units together. */
  constructor(size: number, units: number) {
    const bits = powerOfTwo(Math.max(1_024, size * 16));
    this.filter = new Uint32Array(bits / 32);
    this.filterMask = bits - 1;
    const slots = powerOfTwo(Math.max(16, size * 2));
    this.slots = new Int32Array(slots * SLOT);
    this.slotMask = slots - 1;
    this.pool = new Uint16Array(units);
  }

  idOf(units: Uint16Array, length: number, rolled: number): number {
    const hash = mixBits(rolled) | 0;
    const bit = hash & this.filterMask;
    if ((this.filter[bit >>> 5]! & (1 << (bit & 31))) === 0) return -1;
    const { slots, slotMask } = this;
    for (let slot = (hash >>> 7) & slotMask; ; slot = (slot + 1) & slotMask) {
      const at = slot * SLOT;
      const id = slots[at]! - 1;
      if (id === -1) return -1;
      if (slots[at + 1] === hash && slots[at + 3] === length && this.equals(slots[at + 2]!, units, length))
        return id;
    }
  }

  /** Adds a token that is not yet in the table; tokens are numbered in the order in which they are added. */
  add(token: string): void {
    const start = this.pooled;
    let rolled = EMPTY_HASH;
    for (let i = 0; i < token.length; i += 1) {
      this.pool[start + i] = token.charCodeAt(i);
      rolled = addToHash(rolled, token.charCodeAt(i));
    }
    this.pooled += token.length;
    this.size += 1;
    const hash = mixBits(rolled) | 0;
    const bit = hash & this.filterMask;
    this.filter[bit >>> 5]! |= 1 << (bit & 31);
    let slot = (hash >>> 7) & this.slotMask;
    while (this.slots[slot * SLOT] !== 0) slot = (slot + 1) & this.slotMask;
    this.slots.set([this.size, hash, start, token.length], slot * SLOT);
  }

  private equals(start: number, units: Uint16Array, length: number): boolean {
    for (let i = 0; i < length; i += 1) if (this.pool[start + i] !== units[i]) return false;
    return true;
  }
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(atLeast));
}
