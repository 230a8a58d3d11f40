/** Numbers the tokens of keywords. A token is given as UTF-16 code units with their rolling hash. */
export interface Vocabulary {
  /** The token's number, from 0; -1 when no keyword has it. */
  idOf(units: Uint16Array, length: number, hash: number): number;
}

export const HASH_SEED = 0x811c9dc5 | 0;

/** FNV-1a over code units. */
export function rollHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

/** Takes every token in, for compiling. */
export class GrowingVocabulary implements Vocabulary {
  private readonly ids = new Map<string, number>();

  idOf(units: Uint16Array, length: number): number {
    const token = String.fromCharCode(...units.subarray(0, length));
    const known = this.ids.get(token);
    if (known !== undefined) return known;
    this.ids.set(token, this.ids.size);
    return this.ids.size - 1;
  }

  get size(): number {
    return this.ids.size;
  }

  freeze(): FrozenVocabulary {
    return new FrozenVocabulary([...this.ids.keys()]);
  }
}

/** Layout of a slot: id + 1 (0: free), hash, where the token begins in the pool, its length. */
const SLOT = 4;

/**
 * Finds tokens without making a string of any. Nearly every word of a text belongs to no keyword; a bit filter of 16
 * bits a token says so without touching the table, so that a large vocabulary costs about what a small one does. What
 * is known of a token lies together, because with many keywords it is the memory that is waited for.
 */
export class FrozenVocabulary implements Vocabulary {
  private readonly filter: Uint32Array;
  private readonly filterMask: number;
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  private readonly pool: Uint16Array;
  private pooled = 0;

  constructor(tokens: readonly string[]) {
    const bits = powerOfTwo(Math.max(1_024, tokens.length * 16));
    this.filter = new Uint32Array(bits / 32);
    this.filterMask = bits - 1;
    const slots = powerOfTwo(Math.max(16, tokens.length * 2));
    this.slots = new Int32Array(slots * SLOT);
    this.slotMask = slots - 1;
    this.pool = new Uint16Array(tokens.reduce((sum, token) => sum + token.length, 0));
    tokens.forEach((token, id) => this.add(token, id));
  }

  idOf(units: Uint16Array, length: number, rolled: number): number {
    const hash = mix(rolled);
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

  private add(token: string, id: number): void {
    const start = this.pooled;
    let rolled = HASH_SEED;
    for (let i = 0; i < token.length; i += 1) {
      this.pool[start + i] = token.charCodeAt(i);
      rolled = rollHash(rolled, token.charCodeAt(i));
    }
    this.pooled += token.length;
    const hash = mix(rolled);
    const bit = hash & this.filterMask;
    this.filter[bit >>> 5]! |= 1 << (bit & 31);
    let slot = (hash >>> 7) & this.slotMask;
    while (this.slots[slot * SLOT] !== 0) slot = (slot + 1) & this.slotMask;
    this.slots.set([id + 1, hash, start, token.length], slot * SLOT);
  }

  private equals(start: number, units: Uint16Array, length: number): boolean {
    for (let i = 0; i < length; i += 1) if (this.pool[start + i] !== units[i]) return false;
    return true;
  }
}

/** Spreads a rolling hash over all its bits. */
function mix(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return Math.imul(spread ^ (spread >>> 15), 0x846ca68b) ^ (spread >>> 16);
}

function powerOfTwo(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(atLeast));
}
