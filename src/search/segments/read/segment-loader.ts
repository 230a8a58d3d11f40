import { chunksOf } from '../../../common/collections.js';
import { EventLoopTurn } from '../../../common/event-loop-turn.js';
import { withTimeout } from '../../../common/timeout.js';
import type { RunSearch } from '../../search-database.js';
import { type BlockCache, CachedBlock } from './block-cache.js';
import { FieldValues } from './field-values.js';
import { type Directory, DIRECTORY, TERM_BLOCK_BYTES, termBlocks } from '../format/segment-blocks.js';
import {
  type OutdatedRow,
  type SegmentEntry,
  selectBlocks,
  selectOutdatedRows,
} from './segment-statements.js';
import { blocksOf, type Needs, Segment } from './segment.js';
import { fieldPrefix } from '../format/term-keys.js';
import type { ValueNumbers } from '../format/term-keys.js';

/** Maximum number of blocks that one statement reads. */
const BLOCKS_PER_STATEMENT = 1_000;
/** Time after which blocks that another search is reading are read again. */
const WAIT_MS = 1_000;

interface Wanted {
  segmentId: string;
  number: number;
}

/** Loads parts of segments, from the cache where possible. */
export class SegmentLoader {
  /** Blocks that the current evaluation uses, even after the cache has dropped them. */
  private readonly loaded = new Map<string, CachedBlock>();
  private readonly values = new Map<string, FieldValues>();

  constructor(
    private readonly workspaceId: string,
    private readonly cache: BlockCache,
    private readonly run: RunSearch,
  ) {}

  /** The directories of the segments. */
  async directories(entries: readonly SegmentEntry[]): Promise<Directory[]> {
    await this.loadBlocks(entries.map(([segmentId]) => ({ segmentId, number: DIRECTORY })));
    return entries.map(([segmentId]) => this.block(segmentId, DIRECTORY).directory());
  }

  /**
   * The segments with the data that `needsOf` names for each, or only the first of them, when about `mostBytes` of it
   * must be read. The segments must be those of the snapshot that `run` reads.
   */
  async load(
    entries: readonly SegmentEntry[],
    needsOf: (directory: Directory) => Needs,
    mostBytes = Infinity,
  ): Promise<Segment[]> {
    const directories = await this.directories(entries);
    const missing: Wanted[] = [];
    let [loaded, bytes] = [0, 0];
    for (; loaded < entries.length && bytes < mostBytes; loaded += 1) {
      const [segmentId, rows] = entries[loaded]!;
      const directory = directories[loaded]!;
      for (const block of this.missing(this.wantedOf(segmentId, directory, needsOf(directory)))) {
        bytes += bytesOf(block.number, directory, rows);
        missing.push(block);
      }
    }
    const first = entries.slice(0, loaded);
    await this.loadOutdatedRows(first.filter(([, , outdated]) => outdated > 0));
    await this.loadBlocks(missing);
    return first.map(([segmentId, rows, outdated]) => {
      const blocks = {
        bytes: (number: number) => this.block(segmentId, number).bytes,
        column: (number: number) => this.block(segmentId, number).column(),
        values: (field: string, numbers: ValueNumbers) => this.valuesOf(segmentId, rows, field, numbers),
        ids: (number: number) => this.block(segmentId, number).ids(),
      };
      const outdatedRows = outdated === 0 ? null : this.get(outdatedKey(segmentId, outdated)).bitmap();
      return new Segment(rows, this.block(segmentId, DIRECTORY).directory(), blocks, outdatedRows);
    });
  }

  /** The blocks of a segment with the data that an evaluation needs. */
  private wantedOf(segmentId: string, directory: Directory, needs: Needs): Wanted[] {
    const fields = [...(needs.values ?? [])].filter(([field, of]) => !this.hasValues(segmentId, field, of));
    const terms = fields.map(([field]) => ({ key: fieldPrefix(field), isWhole: false }));
    const numbers = blocksOf(directory, { ...needs, terms: [...needs.terms, ...terms] });
    return [...numbers].map((number) => ({ segmentId, number }));
  }

  /** Reads missing blocks and waits for those that another search is reading. */
  private async loadBlocks(wanted: readonly Wanted[]): Promise<void> {
    const missing = this.missing(wanted);
    const loads = missing.flatMap((block) => this.cache.loading(keyOf(block)) ?? []);
    await this.read(missing.filter((block) => this.cache.loading(keyOf(block)) === undefined));
    if (loads.length === 0) return;
    await withTimeout(Promise.all(loads), WAIT_MS, 'Blocks not loaded in time').catch(() => undefined);
    // Reads the blocks that the other searches did not read, or not in time.
    await this.read(this.missing(wanted));
  }

  private missing(wanted: readonly Wanted[]): Wanted[] {
    return wanted.filter((block) => !this.has(keyOf(block)));
  }

  private async read(blocks: readonly Wanted[]): Promise<void> {
    if (blocks.length > 0) await this.cache.share(blocks.map(keyOf), this.readAll(blocks));
  }

  private async readAll(blocks: readonly Wanted[]): Promise<void> {
    for (const some of chunksOf(blocks, BLOCKS_PER_STATEMENT)) {
      const sql = selectBlocks(this.workspaceId, some);
      for (const [segmentId, number, data] of await this.run.inBinary(sql))
        this.keep(keyOf({ segmentId: uuidOf(segmentId!), number: number!.readInt32BE() }), data!);
    }
  }

  private async loadOutdatedRows(entries: readonly SegmentEntry[]): Promise<void> {
    const missing = entries.filter(([segmentId, , outdated]) => !this.has(outdatedKey(segmentId, outdated)));
    if (missing.length === 0) return;
    const sql = selectOutdatedRows(
      this.workspaceId,
      missing.map(([segmentId]) => segmentId),
    );
    for (const { segmentId, number, data } of await this.run<OutdatedRow>(sql))
      this.keep(outdatedKey(segmentId, number), data);
  }

  private hasValues(segmentId: string, field: string, numbers: ValueNumbers): boolean {
    const key = valuesKey(segmentId, field, numbers);
    const values = this.cache.get<FieldValues>(key);
    if (values !== undefined) this.values.set(key, values);
    return values !== undefined;
  }

  /** The values of a field, parsed from its blocks when they are read for the first time. */
  private async valuesOf(
    segmentId: string,
    rows: number,
    field: string,
    numbers: ValueNumbers,
  ): Promise<FieldValues> {
    const key = valuesKey(segmentId, field, numbers);
    let values = this.values.get(key);
    if (values === undefined) {
      const directory = this.block(segmentId, DIRECTORY).directory();
      const blocks = termBlocks(directory, fieldPrefix(field)).map(
        (number) => this.block(segmentId, number).bytes,
      );
      values = await FieldValues.parse(blocks, field, rows, numbers, new EventLoopTurn(this.run.client?.()));
      this.cache.set(key, values);
      this.values.set(key, values);
    }
    return values;
  }

  private has(key: string): boolean {
    if (this.loaded.has(key)) return true;
    const block = this.cache.get<CachedBlock>(key);
    if (block !== undefined) this.loaded.set(key, block);
    return block !== undefined;
  }

  private keep(key: string, data: Buffer): void {
    const block = new CachedBlock(data);
    this.cache.set(key, block);
    this.loaded.set(key, block);
  }

  private block(segmentId: string, number: number): CachedBlock {
    return this.get(keyOf({ segmentId, number }));
  }

  private get(key: string): CachedBlock {
    const block = this.loaded.get(key);
    if (block === undefined) throw new Error(`Segment block ${key} is missing`);
    return block;
  }
}

/** About the size of a block: a number for each row, or terms. */
const bytesOf = (number: number, { terms }: Directory, rows: number): number =>
  number < terms ? rows * Float64Array.BYTES_PER_ELEMENT : TERM_BLOCK_BYTES;

/** The text of a uuid that was read in binary form. */
const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const keyOf = ({ segmentId, number }: Wanted): string => `${segmentId} ${number}`;

/** The number of outdated rows identifies their set, since it only grows. */
const outdatedKey = (segmentId: string, outdated: number): string => `${segmentId} outdated ${outdated}`;

/** Values parsed with other numbers have another key, and are dropped in time. */
const valuesKey = (segmentId: string, field: string, { id }: ValueNumbers): string =>
  `${segmentId} ${field} ${id}`;
