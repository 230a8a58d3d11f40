import type { RunSearch } from '../search-database.js';
import { emptyBitmap, uniteBytes } from './bitmap.js';
import { type BlockCache, CachedBlock } from './block-cache.js';
import { DIRECTORY } from './segment-blocks.js';
import {
  type OutdatedRow,
  type SegmentEntry,
  selectBlocks,
  selectOutdatedRows,
} from './segment-statements.js';
import { blocksOf, type Needs, Segment } from './segment.js';

/** Blocks that one statement reads at most. */
const BLOCKS_PER_STATEMENT = 1_000;

interface Wanted {
  segmentId: string;
  number: number;
}

/** Loads parts of segments, from the cache where it has them. */
export class SegmentLoader {
  /** What the present evaluation uses, even when the cache has dropped it. */
  private readonly loaded = new Map<string, CachedBlock>();

  constructor(
    private readonly workspaceId: string,
    private readonly cache: BlockCache,
    private readonly run: RunSearch,
  ) {}

  /** The segments with what `needs` names; they are those of the snapshot that `run` reads. */
  async load(entries: readonly SegmentEntry[], needs: Needs): Promise<Segment[]> {
    await this.loadBlocks(entries.map(([segmentId]) => ({ segmentId, number: DIRECTORY })));
    await this.loadOutdatedRows(entries.filter(([, , outdated]) => outdated > 0));
    await this.loadBlocks(
      entries.flatMap(([segmentId]) =>
        [...blocksOf(this.block(segmentId, DIRECTORY).directory(), needs)].map((number) => ({
          segmentId,
          number,
        })),
      ),
    );
    return entries.map(([segmentId, rows, outdated]) => {
      const blocks = {
        bytes: (number: number) => this.block(segmentId, number).bytes,
        column: (number: number) => this.block(segmentId, number).column(),
        ids: (number: number) => this.block(segmentId, number).ids(),
      };
      const bitmap = outdated === 0 ? null : emptyBitmap();
      if (bitmap !== null) uniteBytes(bitmap, this.named(segmentId, outdatedName(outdated)).bytes);
      return new Segment(rows, this.block(segmentId, DIRECTORY).directory(), blocks, bitmap);
    });
  }

  private async loadBlocks(wanted: readonly Wanted[]): Promise<void> {
    const missing = wanted.filter(({ segmentId, number }) => !this.has(segmentId, String(number)));
    for (let start = 0; start < missing.length; start += BLOCKS_PER_STATEMENT) {
      const part = missing.slice(start, start + BLOCKS_PER_STATEMENT);
      for (const [segmentId, number, data] of await this.run.inBinary(selectBlocks(this.workspaceId, part)))
        this.keep(String(segmentId!.readBigInt64BE()), String(number!.readInt32BE()), data!);
    }
  }

  private async loadOutdatedRows(entries: readonly SegmentEntry[]): Promise<void> {
    const missing = entries.filter(([segmentId, , outdated]) => !this.has(segmentId, outdatedName(outdated)));
    if (missing.length === 0) return;
    const sql = selectOutdatedRows(
      this.workspaceId,
      missing.map(([segmentId]) => segmentId),
    );
    for (const { segmentId, number, data } of await this.run<OutdatedRow>(sql))
      this.keep(segmentId, outdatedName(number), data);
  }

  private has(segmentId: string, name: string): boolean {
    const key = `${segmentId} ${name}`;
    if (this.loaded.has(key)) return true;
    const block = this.cache.get(segmentId, name);
    if (block !== undefined) this.loaded.set(key, block);
    return block !== undefined;
  }

  private keep(segmentId: string, name: string, data: Buffer): void {
    const block = new CachedBlock(data);
    this.cache.set(segmentId, name, block);
    this.loaded.set(`${segmentId} ${name}`, block);
  }

  private block(segmentId: string, number: number): CachedBlock {
    return this.named(segmentId, String(number));
  }

  private named(segmentId: string, name: string): CachedBlock {
    const block = this.loaded.get(`${segmentId} ${name}`);
    if (block === undefined) throw new Error(`Segment ${segmentId} has no block ${name}`);
    return block;
  }
}

/** The rows that were outdated when they were so many; their number only grows. */
const outdatedName = (outdated: number): string => `outdated ${outdated}`;
