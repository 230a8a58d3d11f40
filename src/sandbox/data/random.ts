/** Hashes integers to 32 evenly distributed bits, with the same result on every machine. */
export function hash(...values: number[]): number {
  let state = 0x9747b28c;
  for (const value of values) {
    state = Math.imul(state ^ (value >>> 0), 0x85ebca6b);
    state = Math.imul(state ^ (state >>> 15), 0xc2b2ae35);
    state ^= state >>> 13;
    // Numbers beyond 32 bits (comment numbers) must not collide with those that share their low half.
    const high = Math.floor(value / 0x1_0000_0000);
    if (high !== 0) state = Math.imul(state ^ high, 0x27d4eb2f) ^ (state >>> 16);
  }
  state = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) >>> 0;
}

/** {@link hash} for a text. */
export function hashText(seed: number, text: string): number {
  let state = seed ^ 0x811c9dc5;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  return hash(state);
}

/** A seeded random number generator (splitmix32). */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }

  /** In [0, 1). */
  float(): number {
    return this.next() / 0x1_0000_0000;
  }

  /** A whole number in [0, bound). */
  int(bound: number): number {
    return this.next() % bound;
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.next() % items.length] as T;
  }
}

/** 32 bits as a fraction in [0, 1). */
export const fraction = (bits: number): number => bits / 0x1_0000_0000;
