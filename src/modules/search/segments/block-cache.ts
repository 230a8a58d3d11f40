import { totalmem } from 'node:os';
import { LRUCache } from 'lru-cache';
import { usableMemory } from '../../../common/usable-memory.js';
import { decodeColumn, decodeDirectory, type Directory, SegmentIds } from './segment-blocks.js';
import { type Range, rangeOf } from './range.js';
import { ValueBlock } from './value-block.js';

const MEGABYTE = 1_048_576;
const LEAST_BYTES = 64 * MEGABYTE;
/** What keeping a block costs beside its bytes: key, entry and buffer. */
const OVERHEAD_BYTES = 300;

/** A block and what was read from its bytes, which is as long-lived as the block. */
export class CachedBlock {
  private parsed: Directory | SegmentIds | Float64Array | ValueBlock | null = null;
  private columnRange: Range | null = null;

  constructor(readonly bytes: Buffer) {}

  directory(): Directory {
    return (this.parsed ??= decodeDirectory(this.bytes)) as Directory;
  }

  column(): Float64Array {
    return (this.parsed ??= decodeColumn(this.bytes)) as Float64Array;
  }

  /** The range of a column; each search for a time series needs it. */
  range(): Range {
    return (this.columnRange ??= rangeOf(this.column()));
  }

  values(): ValueBlock {
    return (this.parsed ??= new ValueBlock(this.bytes)) as ValueBlock;
  }

  ids(): SegmentIds {
    return (this.parsed ??= SegmentIds.decode(this.bytes)) as SegmentIds;
  }
}

/**
 * Bytes that blocks may take: an eighth of the machine's memory, which other processes share, and at most half of the
 * container's, which is for this process alone.
 */
export const cacheBytes = (machine: number, container: number): number =>
  Math.max(LEAST_BYTES, Math.floor(Math.min(machine / 8, usableMemory(machine, container) / 2)));

/** The most recently used blocks of all workspaces' segments, limited by their bytes. Blocks never change, so none expires. */
export class BlockCache {
  private readonly blocks: LRUCache<string, CachedBlock>;
  /** Loads in progress by the keys of the blocks that they read. */
  private readonly loads = new Map<string, Promise<void>>();

  constructor(maxSize = cacheBytes(totalmem(), process.constrainedMemory())) {
    // A filter over ids and a parsed directory are at most as large again; counted values can take twice as much.
    this.blocks = new LRUCache({
      maxSize,
      sizeCalculation: ({ bytes }) => bytes.length * 2 + OVERHEAD_BYTES,
    });
  }

  get(key: string): CachedBlock | undefined {
    return this.blocks.get(key);
  }

  set(key: string, block: CachedBlock): void {
    this.blocks.set(key, block);
  }

  /** Ends when the load of a block that is in progress ends or fails; undefined without one. */
  loading(key: string): Promise<void> | undefined {
    return this.loads.get(key);
  }

  /** Shows a load that puts these blocks into the cache to {@link BlockCache.loading} until it ends. */
  async share(keys: readonly string[], load: Promise<void>): Promise<void> {
    const ended = load.catch(() => undefined);
    for (const key of keys) this.loads.set(key, ended);
    try {
      await load;
    } finally {
      for (const key of keys) if (this.loads.get(key) === ended) this.loads.delete(key);
    }
  }
}
