import { readFileSync } from 'node:fs';
import { mixBits } from '../../common/hash.js';

const BITS = 19;
const SIZE = 1 << BITS;
const HEADER = 8;
const MAGIC = 0x44463031;
const RAREST = 15;
/** A stored byte counts this many steps per doubling. */
const STEPS = 8;

/**
 * How many documents of a general collection contain a phrase: a count-min sketch of two rows in one table. Each cell
 * is one byte with the logarithm of a count.
 */
export class BackgroundFrequencies {
  private readonly cells: Uint8Array;
  /** By cell value. */
  private readonly rarities: Uint8Array;

  constructor(file: Buffer) {
    if (file.length !== HEADER + SIZE || file.readUInt32LE(0) !== MAGIC) {
      throw new Error(
        `The document frequencies are damaged: ${file.length} bytes instead of ${HEADER + SIZE}`,
      );
    }
    const documents = file.readUInt32LE(4);
    this.rarities = Uint8Array.from(COUNTS, (count) =>
      Math.max(0, Math.min(RAREST, Math.floor(Math.log2((documents + 1) / (count + 0.5))))),
    );
    this.cells = file.subarray(HEADER);
  }

  /**
   * How often the number of documents must be halved to get those that contain the phrase; whole, 0 to {@link RAREST}.
   */
  rarity(key: number): number {
    return this.rarities[Math.min(this.cells[firstCell(key)]!, this.cells[secondCell(key)]!)]!;
  }
}

const COUNTS = Float64Array.from({ length: 256 }, (_zero, at) => (at === 0 ? 0 : 2 ** ((at - 1) / STEPS)));

const firstCell = (key: number): number => key & (SIZE - 1);
const secondCell = (key: number): number => mixBits(key ^ 0x68bc21eb) & (SIZE - 1);

let shipped: BackgroundFrequencies | null = null;

/** The shipped collection, which is read on first use. Throws an Error when its file is missing or damaged. */
export function shippedFrequencies(): BackgroundFrequencies {
  shipped ??= new BackgroundFrequencies(readFileSync(new URL('frequencies.bin', import.meta.url)));
  return shipped;
}

/** Writes counts in the form that {@link BackgroundFrequencies} reads. */
export function encodeFrequencies(documents: number, counts: ReadonlyMap<number, number>): Buffer {
  const file = Buffer.alloc(HEADER + SIZE);
  file.writeUInt32LE(MAGIC, 0);
  file.writeUInt32LE(documents, 4);
  const cells = file.subarray(HEADER);
  for (const [key, count] of counts) {
    const byte = Math.min(255, 1 + Math.round(Math.log2(count) * STEPS));
    for (const cell of [firstCell(key), secondCell(key)]) cells[cell] = Math.max(cells[cell]!, byte);
  }
  return file;
}
