import { totalmem } from 'node:os';
import { LRUCache } from 'lru-cache';
import { usableMemory } from '../../../common/usable-memory.js';
import { type Bitmap, decodeBitmap } from '../format/bitmap.js';
import type { FieldValues } from './field-values.js';
import {
  type Column,
  decodeColumn,
  decodeDirectory,
  type Directory,
  SegmentIds,
} from '../format/segment-blocks.js';

const MEGABYTE = 1_048_576;
const LEAST_BYTES = 64 * MEGABYTE;
/** Memory overhead of an entry: key, entry and buffer. */
const OVERHEAD_BYTES = 300;
const NO_BYTES = Buffer.alloc(0);

type Parsed = Directory | SegmentIds | Column | Bitmap;

/** A block, or its parsed form. */
export class CachedBlock {
  /** Most memory that it takes, in bytes: an id filter or a parsed directory is at most as large as its block. */
  readonly size: number;
  private parsed: Parsed | null = null;

  /** Once parsed, the block has no bytes. */
  constructor(public bytes: Buffer) {
    this.size = bytes.length * 2;
  }

  directory(): Directory {
    return this.parse(decodeDirectory);
  }

  column(): Column {
    return this.parse(decodeColumn);
  }

  bitmap(): Bitmap {
    return this.parse(decodeBitmap);
  }

  ids(): SegmentIds {
    return this.parse((bytes) => SegmentIds.decode(bytes));
  }

  private parse<P extends Parsed>(decode: (bytes: Buffer) => P): P {
    if (this.parsed === null) {
      this.parsed = decode(this.bytes);
      this.bytes = NO_BYTES;
    }
    return this.parsed as P;
  }
}

/** Share of blocks in the memory of the index; the rest is for the numbers of values. */
const SHARE_OF_BLOCKS = 2 / 3;

/**
 * Maximum bytes that the index takes in this process, by the memory of the machine and of the container. A container's memory is used by
 * this process alone; a machine's is not.
 */
export const indexBytes = (machine: number, container: number): number =>
  Math.max(LEAST_BYTES, Math.floor(Math.min(machine / 8, usableMemory(machine, container) / 2)));

/**
 * The most recently used blocks of all workspaces' segments, and the values of their fields, up to a number of bytes.
 * They never change, so none expires.
 */
export class BlockCache {
  private readonly entries: LRUCache<string, CachedBlock | FieldValues>;
  /** Loads in progress, by the keys of the blocks that they read. */
  private readonly loads = new Map<string, Promise<void>>();

  /** Maximum bytes of the blocks. */
  readonly maxSize: number;

  /** `limit` is the maximum number of bytes of the whole index, of which blocks take two thirds. */
  constructor(readonly limit = indexBytes(totalmem(), process.constrainedMemory())) {
    this.maxSize = Math.floor(limit * SHARE_OF_BLOCKS);
    this.entries = new LRUCache({
      maxSize: this.maxSize,
      sizeCalculation: ({ size }) => size + OVERHEAD_BYTES,
    });
  }

  /** Bytes that the blocks take. */
  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** The block, or the values of a field, that was kept under a key. */
  get<Entry extends CachedBlock | FieldValues>(key: string): Entry | undefined {
    return this.entries.get(key) as Entry | undefined;
  }

  set(key: string, entry: CachedBlock | FieldValues): void {
    this.entries.set(key, entry);
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
