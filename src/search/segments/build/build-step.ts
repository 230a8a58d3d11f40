import { chunksOf } from '../../../common/collections.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchedTable } from '../../searched-table.js';
import { type Bitmap, bitmapBytes, countBits } from '../format/bitmap.js';
import { segmentColumns } from '../format/segment-fields.js';
import type { BlockCache } from '../read/block-cache.js';
import { ChangeList } from '../read/change-lists.js';
import { SegmentLoader } from '../read/segment-loader.js';
import type { Needs, Segment } from '../read/segment.js';
import {
  deleteSegments,
  insertBlocks,
  insertSegment,
  type SegmentState,
  selectSegmentRows,
  setOutdatedRows,
  type StoredRow,
} from './builder-statements.js';
import type { Mergeable } from './merge-policy.js';
import { SegmentWriter } from './segment-writer.js';

/** Maximum number of rows that one statement reads and of blocks that one writes. */
const ROWS_PER_STATEMENT = 2_000;
const BLOCKS_PER_STATEMENT = 64;
/** Maximum number of segments whose ids are read together. */
const SEGMENTS_AT_ONCE = 32;

/** A segment, and which of its rows will be outdated when the step ends. */
export interface ExaminedSegment extends Mergeable {
  outdated: Bitmap;
  /** How many rows became outdated. */
  added: number;
  segment: Segment;
}

/** Writes one segment of a workspace's table from rows and other segments, in the transaction of `run`. */
export class BuildStep {
  private readonly writer: SegmentWriter;

  constructor(
    private readonly table: SearchedTable,
    private readonly workspaceId: string,
    private readonly run: RunSearch,
    private readonly cache: BlockCache,
  ) {
    this.writer = new SegmentWriter(table);
  }

  /** Number of rows that the segment has so far. */
  get rows(): number {
    return this.writer.rows;
  }

  /** Determines which rows of the segments will be outdated once the changed rows are marked. */
  async examine(states: readonly SegmentState[], changed: readonly string[]): Promise<ExaminedSegment[]> {
    const list = new ChangeList(changed);
    const examined: ExaminedSegment[] = [];
    for (const part of chunksOf(states, SEGMENTS_AT_ONCE)) {
      const needs = { terms: [], columns: [], ids: true };
      const segments = await this.loader().load(
        part.map(({ id, rows, outdated }) => [id, rows, outdated]),
        () => needs,
      );
      for (const [index, segment] of segments.entries()) {
        const { id, rows, outdated: before, isStale } = part[index]!;
        const outdated = segment.outdatedWith([list]);
        const count = countBits(outdated);
        examined.push({ id, segment, outdated, current: rows - count, isStale, added: count - before });
      }
    }
    return examined;
  }

  /** Adds the current rows of segments, read from their blocks. */
  async addSegments(segments: readonly ExaminedSegment[]): Promise<void> {
    for (const { id, segment, outdated } of segments) {
      const [loaded] = await this.loader().load([[id, segment.rows, 0]], () => everythingOf(this.table));
      await this.writer.addSegment(loaded!, outdated);
    }
  }

  /** Adds the rows that still exist. Returns the ids of the others, and of those whose text was withdrawn. */
  async addRows(ids: readonly string[]): Promise<string[]> {
    const kept = new Set<string>();
    for (const part of chunksOf(ids, ROWS_PER_STATEMENT)) {
      const sql = selectSegmentRows(this.table, this.workspaceId, part);
      for (const { row, isWithdrawn } of await this.run<StoredRow>(sql)) {
        this.writer.add(row);
        if (!isWithdrawn) kept.add(row[0]);
      }
    }
    return ids.filter((id) => !kept.has(id));
  }

  /** Writes the segment, unless it has no rows, and deletes those that it replaces. */
  async replace(replaced: readonly ExaminedSegment[]): Promise<void> {
    const { workspaceId, writer, run } = this;
    if (writer.rows > 0) {
      const [segment] = await run<{ id: string }>(insertSegment(workspaceId, this.table.name, writer.rows));
      const blocks = await writer.blocks();
      for (let start = 0; start < blocks.length; start += BLOCKS_PER_STATEMENT) {
        const some = blocks.slice(start, start + BLOCKS_PER_STATEMENT);
        await run(insertBlocks(workspaceId, segment!.id, start, some));
      }
    }
    const ids = replaced.map(({ id }) => id);
    await run(deleteSegments(workspaceId, ids));
  }

  /** Records which rows of the segments are outdated, and which segments contain an erased row. */
  async mark(segments: readonly ExaminedSegment[], erasedIds: readonly string[]): Promise<void> {
    const erased = new ChangeList(erasedIds);
    for (const { id, segment, outdated, added } of segments) {
      const hasErased = segment.hasAny(erased);
      if (added === 0 && !hasErased) continue;
      const rows = { count: countBits(outdated), bitmap: bitmapBytes(outdated), hasErased };
      await this.run(setOutdatedRows(this.workspaceId, id, rows));
    }
  }

  private loader(): SegmentLoader {
    return new SegmentLoader(this.workspaceId, this.cache, this.run);
  }
}

/** Requests all data of a segment. */
const everythingOf = (table: SearchedTable): Needs => ({
  terms: [{ key: '', isWhole: false, withPositions: true }],
  columns: Object.keys(segmentColumns(table)),
  ids: true,
});
