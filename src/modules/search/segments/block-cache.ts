import { totalmem } from 'node:os';
import { LRUCache } from 'lru-cache';
import { usableMemory } from '../../../common/usable-memory.js';
import { decodeColumn, decodeDirectory, type Directory, SegmentIds } from './segment-blocks.js';
import { type Range, rangeOf } from './range.js';
import { ValueBlock } from './value-block.js';

const MEGABYTE = 1_048_576;
const LEAST_BYTES = 64 * MEGABYTE;
/** Memory overhead of a block besides its bytes: key, entry and buffer. */
const OVERHEAD_BYTES = 300;

/** A block and the structures parsed from its bytes, which live as long as the block. */
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

  /** The range of a column, which each search for a time series needs. */
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
 * Maximum bytes of cached blocks, by the memory of the machine and of the container. A container's memory is used by
 * this process alone; a machine's is not.
 */
export const cacheBytes = (machine: number, container: number): number =>
  Math.max(LEAST_BYTES, Math.floor(Math.min(machine / 8, usableMemory(machine, container) / 2)));

/**
 * The most recently used blocks of all workspaces' segments, up to a number of bytes. Blocks never change, so none
 * expires.
 */
export class BlockCache {
  private readonly blocks: LRUCache<string, CachedBlock>;
  /** Loads in progress, by the keys of the blocks that they read. */
  private readonly loads = new Map<string, Promise<void>>();

  constructor(maxSize = cacheBytes(totalmem(), process.constrainedMemory())) {
    // An id filter or a parsed directory is at most as large as its block; counted values can take twice as much.
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

  /** Resolves when the load of a block in progress ends or fails; undefined when there is none. */
  loading(key: string): Promise<void> | undefined {
    return this.loads.get(key);
  }

  /** Registers a load of these blocks, so that {@link BlockCache.loading} returns it until it ends. */
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
