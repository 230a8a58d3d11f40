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

/**
 * Finds tokens without making a string of any. Nearly every word of a text belongs to no keyword; a bit filter of 16
 * bits a token says so without touching the table, so that a large vocabulary costs about what a small one does.
 */
export class FrozenVocabulary implements Vocabulary {
  private readonly filter: Uint32Array;
  private readonly filterMask: number;
  /** Id + 1 by slot; 0 is a free slot. */
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  private readonly hashes: Int32Array;
  private readonly starts: Int32Array;
  private readonly pool: Uint16Array;

  constructor(tokens: readonly string[]) {
    const bits = powerOfTwo(Math.max(1_024, tokens.length * 16));
    this.filter = new Uint32Array(bits / 32);
    this.filterMask = bits - 1;
    this.slots = new Int32Array(powerOfTwo(Math.max(16, tokens.length * 2)));
    this.slotMask = this.slots.length - 1;
    this.hashes = new Int32Array(tokens.length);
    this.starts = new Int32Array(tokens.length + 1);
    this.pool = new Uint16Array(tokens.reduce((sum, token) => sum + token.length, 0));
    tokens.forEach((token, id) => this.add(token, id));
  }

  idOf(units: Uint16Array, length: number, rolled: number): number {
    const hash = mix(rolled);
    const bit = hash & this.filterMask;
    if ((this.filter[bit >>> 5]! & (1 << (bit & 31))) === 0) return -1;
    for (let slot = (hash >>> 7) & this.slotMask; ; slot = (slot + 1) & this.slotMask) {
      const id = this.slots[slot]! - 1;
      if (id === -1) return -1;
      if (this.hashes[id] === hash && this.equals(id, units, length)) return id;
    }
  }

  private add(token: string, id: number): void {
    const start = this.starts[id]!;
    let rolled = HASH_SEED;
    for (let i = 0; i < token.length; i += 1) {
      this.pool[start + i] = token.charCodeAt(i);
      rolled = rollHash(rolled, token.charCodeAt(i));
    }
    this.starts[id + 1] = start + token.length;
    const hash = mix(rolled);
    this.hashes[id] = hash;
    const bit = hash & this.filterMask;
    this.filter[bit >>> 5]! |= 1 << (bit & 31);
    let slot = (hash >>> 7) & this.slotMask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & this.slotMask;
    this.slots[slot] = id + 1;
  }

  private equals(id: number, units: Uint16Array, length: number): boolean {
    const start = this.starts[id]!;
    if (this.starts[id + 1]! - start !== length) return false;
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
