import { hash, hashText } from './random.js';

const FIRST = [
  'quiet',
  'mossy',
  'amber',
  'paper',
  'hidden',
  'lunar',
  'copper',
  'gentle',
  'rusty',
  'silent',
  'northern',
  'velvet',
  'electric',
  'wooden',
  'distant',
  'curious',
  'salty',
  'frozen',
  'golden',
  'lazy',
  'bitter',
  'crimson',
  'sleepy',
  'honest',
];
const SECOND = [
  'harbor',
  'lantern',
  'otter',
  'compiler',
  'meadow',
  'kettle',
  'signal',
  'badger',
  'circuit',
  'orchard',
  'pixel',
  'falcon',
  'thimble',
  'glacier',
  'walnut',
  'engine',
  'raven',
  'button',
  'canyon',
  'teapot',
  'magnet',
  'willow',
  'packet',
  'biscuit',
];

/** Prime, so that any step width below this number visits every slot of a block once. */
const SLOTS = 1009;

/**
 * Maps posts to authors and authors to posts without an index. The posts of a forum are divided into blocks of
 * {@link SLOTS}; each block permutes its slots in its own way, and every slot belongs to one author. Authors have between one
 * and sixty slots, so a few have thousands of posts and most have a few dozen.
 */
export class Authors {
  readonly names: string[] = [];
  private readonly authorOfSlot: number[] = [];
  private readonly slotsOfAuthor: number[][] = [];
  private readonly byName = new Map<string, number>();

  constructor(private readonly seed: number) {
    while (this.authorOfSlot.length < SLOTS) {
      const author = this.names.length;
      const share = Math.max(1, Math.floor(60 / (author + 1) ** 0.8));
      const slots = Array.from({ length: Math.min(share, SLOTS - this.authorOfSlot.length) }, (_, i) => i);
      this.slotsOfAuthor.push(slots.map((i) => this.authorOfSlot.length + i));
      this.authorOfSlot.push(...slots.map(() => author));
      this.addName(author);
    }
  }

  /** The number of an author, regardless of the name's case; null for an unknown name. */
  find(name: string): number | null {
    return this.byName.get(name.toLowerCase()) ?? null;
  }

  /** The number of this name, which is added if it is unknown. */
  findOrAdd(name: string): number {
    const found = this.find(name);
    if (found !== null) return found;
    this.byName.set(name.toLowerCase(), this.names.length);
    return this.names.push(name) - 1;
  }

  /** The author of a post. */
  ofPost(forum: number, index: number): number {
    const block = Math.floor(index / SLOTS);
    const { step, start } = this.blockOrder(forum, block);
    return this.authorOfSlot[((index % SLOTS) * step + start) % SLOTS] as number;
  }

  /** A random author, weighted by number of slots. */
  anyone(bits: number): number {
    return this.authorOfSlot[bits % SLOTS] as number;
  }

  /** The indexes below `count` of an author's posts in a forum, in no particular order. */
  postsOf(author: number, forum: number, count: number): number[] {
    const indexes: number[] = [];
    for (let block = 0; block * SLOTS < count; block++) {
      const { step, start } = this.blockOrder(forum, block);
      const inverse = inverseOf(step);
      for (const slot of this.slotsOfAuthor[author] ?? []) {
        const index = block * SLOTS + (((slot - start + SLOTS) * inverse) % SLOTS);
        if (index < count) indexes.push(index);
      }
    }
    return indexes;
  }

  private blockOrder(forum: number, block: number): { step: number; start: number } {
    const bits = hash(this.seed, 11, forum, block);
    return { step: 1 + (bits % (SLOTS - 1)), start: (bits >>> 12) % SLOTS };
  }

  private addName(author: number): void {
    const bits = hashText(hash(this.seed, author), 'author');
    const first = FIRST[bits % FIRST.length] as string;
    const second = SECOND[(bits >>> 8) % SECOND.length] as string;
    const base = author % 3 === 0 ? capital(first) + capital(second) : `${first}_${second}`;
    let name = author % 2 === 0 ? `${base}${10 + ((bits >>> 16) % 90)}` : base;
    for (let suffix = 2; this.byName.has(name.toLowerCase()); suffix++) name = `${base}_${suffix}`;
    this.names.push(name);
    this.byName.set(name.toLowerCase(), author);
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The modular inverse: `value` x result = 1 modulo the prime {@link SLOTS} (Fermat). */
function inverseOf(value: number): number {
  let result = 1;
  let base = value % SLOTS;
  for (let exponent = SLOTS - 2; exponent > 0; exponent >>= 1) {
    if (exponent & 1) result = (result * base) % SLOTS;
    base = (base * base) % SLOTS;
  }
  return result;
}
