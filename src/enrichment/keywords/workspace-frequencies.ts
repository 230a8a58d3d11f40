/** Maximum number of remembered phrases; at 8 bytes each a saved state takes at most 128 KB. */
const MAX_ENTRIES = 16_384;
const KEPT_AFTER_PRUNING = 12_288;
/** Counts are halved at this number of posts, so that old posts weigh less. */
const MAX_DOCUMENTS = 200_000;
const MAGIC = 0x57463031;
const HEADER = 12;
const ENTRY = 8;

/**
 * How many posts of one workspace contain a phrase. Memory is bounded by lossy counting: when the table is full its
 * rarest entries are dropped, because only frequent phrases matter. Keys are phrase hashes.
 */
export class WorkspaceFrequencies {
  private counts = new Map<number, number>();
  private seen = 0;

  /** Posts observed, after fading. */
  get documents(): number {
    return this.seen;
  }

  /** Number of phrases. */
  get size(): number {
    return this.counts.size;
  }

  /** Counts one post; a key that is given twice counts once. */
  observe(keys: Iterable<number>): void {
    this.seen++;
    for (const key of new Set(keys)) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    this.bound();
  }

  /** Number of posts that contain the phrase; too low by as much as pruning removed. */
  df(key: number): number {
    return this.counts.get(key) ?? 0;
  }

  /** Adds the counts of another table. */
  merge(other: WorkspaceFrequencies): void {
    this.seen += other.seen;
    for (const [key, count] of other.counts) this.counts.set(key, (this.counts.get(key) ?? 0) + count);
    this.bound();
  }

  /** The table in the form that {@link fromBuffer} reads. */
  toBuffer(): Buffer {
    const file = Buffer.alloc(HEADER + this.counts.size * ENTRY);
    file.writeUInt32LE(MAGIC, 0);
    file.writeUInt32LE(this.seen, 4);
    file.writeUInt32LE(this.counts.size, 8);
    let at = HEADER;
    for (const [key, count] of this.counts) {
      file.writeUInt32LE(key, at);
      file.writeUInt32LE(count, at + 4);
      at += ENTRY;
    }
    return file;
  }

  /** @throws Error when the bytes were not written by {@link toBuffer} */
  static fromBuffer(file: Buffer): WorkspaceFrequencies {
    const entries = file.length >= HEADER ? file.readUInt32LE(8) : 0;
    const sound =
      file.length === HEADER + entries * ENTRY &&
      entries <= MAX_ENTRIES &&
      file.length > 0 &&
      file.readUInt32LE(0) === MAGIC;
    if (!sound) throw new Error(`These ${file.length} bytes are no saved phrase frequencies`);
    const frequencies = new WorkspaceFrequencies();
    frequencies.seen = file.readUInt32LE(4);
    for (let at = HEADER; at < file.length; at += ENTRY) {
      frequencies.counts.set(file.readUInt32LE(at), file.readUInt32LE(at + 4));
    }
    return frequencies;
  }

  private bound(): void {
    if (this.seen > MAX_DOCUMENTS) this.fade();
    if (this.counts.size <= MAX_ENTRIES) return;
    const byCount = [...this.counts].sort(([, a], [, b]) => b - a);
    this.counts = new Map(byCount.slice(0, KEPT_AFTER_PRUNING));
  }

  private fade(): void {
    this.seen = Math.ceil(this.seen / 2);
    for (const [key, count] of this.counts) {
      if (count < 2) this.counts.delete(key);
      else this.counts.set(key, count >>> 1);
    }
  }
}
