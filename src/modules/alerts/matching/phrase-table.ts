import { IntList } from './int-list.js';

/** Layout of a slot: hash, index of the phrase in `phrases` + 1 (0 if free). */
const SLOT = 2;
/** Layout of a phrase: its number, its length in symbols, and where they begin in `symbols`. */
const PHRASE = 3;
const NOT_FOUND = -1;

/**
 * Finds phrases by the hash of their symbols: an open-addressing table with two integers per slot, because most lookups
 * find nothing and their time is dominated by cache misses. With a `Map` keyed by these hashes, about 15 % fewer posts
 * are matched a second (docs/benchmarks.md).
 */
export class PhraseTable {
  private slots = new Int32Array(32 * SLOT);
  private readonly phrases = new IntList();
  private readonly symbols = new IntList();

  /** Number of the phrase with this hash whose `length` symbols are those of `symbolAt`; -1 without one. */
  find(hash: number, length: number, symbolAt: (index: number) => number): number {
    const { slots } = this;
    for (let at = this.slotOf(hash); slots[at + 1] !== 0; at = (at + SLOT) & (slots.length - 1)) {
      if (slots[at] !== hash) continue;
      const phrase = (slots[at + 1]! - 1) * PHRASE;
      if (this.isEqual(phrase, length, symbolAt)) return this.phrases.values[phrase]!;
    }
    return NOT_FOUND;
  }

  /** Adds a phrase that is not in the table yet. */
  add(hash: number, symbols: readonly number[], number: number): void {
    const phrase = this.phrases.length / PHRASE;
    for (const value of [number, symbols.length, this.symbols.length]) this.phrases.push(value);
    for (const symbol of symbols) this.symbols.push(symbol);
    if ((phrase + 1) * 2 * SLOT > this.slots.length) this.grow();
    this.insert(hash, phrase);
  }

  private isEqual(phrase: number, length: number, symbolAt: (index: number) => number): boolean {
    const { values } = this.phrases;
    if (values[phrase + 1] !== length) return false;
    const start = values[phrase + 2]!;
    for (let index = 0; index < length; index += 1)
      if (this.symbols.values[start + index] !== symbolAt(index)) return false;
    return true;
  }

  private insert(hash: number, phrase: number): void {
    const { slots } = this;
    let at = this.slotOf(hash);
    while (slots[at + 1] !== 0) at = (at + SLOT) & (slots.length - 1);
    slots[at] = hash;
    slots[at + 1] = phrase + 1;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Int32Array(2 * before.length);
    for (let at = 0; at < before.length; at += SLOT)
      if (before[at + 1] !== 0) this.insert(before[at]!, before[at + 1]! - 1);
  }

  private slotOf(hash: number): number {
    return (SLOT * (hash ^ (hash >>> 15))) & (this.slots.length - 1);
  }
}
