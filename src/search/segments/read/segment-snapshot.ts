import { chunksOf } from '../../../common/collections.js';
import { EventLoopTurn } from '../../../common/event-loop-turn.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchFilter } from '../../search-request.js';
import type { SearchedTable } from '../../searched-table.js';
import type { Bitmap } from '../format/bitmap.js';
import type { BlockCache } from './block-cache.js';
import type { ChangeList } from './change-lists.js';
import { type Match, narrowed } from './match.js';
import { emptyRange, extend, type Range } from '../format/range.js';
import type { Directory } from '../format/segment-blocks.js';
import { SegmentLoader } from './segment-loader.js';
import { type ChangedColumns, type SegmentEntry, selectChangedRows } from './segment-statements.js';
import { addNeeds, type Needs, type Segment } from './segment.js';

/** Bounds of the blocks that are loaded and evaluated together, and so of the memory of an evaluation. */
const SEGMENTS_AT_ONCE = 64;
const BYTES_AT_ONCE = 8_388_608;

const NOTHING: Needs = { terms: [], columns: [], ids: false };

/** An order of segments by the first value of a column that they may have. */
export interface SegmentOrder {
  column: string;
  isDescending: boolean;
}

/** A workspace's rows in one snapshot: those in segments, and those that changed since. */
export class SegmentSnapshot {
  constructor(
    private readonly workspaceId: string,
    private readonly table: SearchedTable,
    private readonly entries: readonly SegmentEntry[],
    private readonly changed: readonly ChangeList[],
    readonly run: RunSearch,
    private readonly cache: BlockCache,
  ) {}

  /**
   * Calls `visit` with each segment and its current matching rows, but not with segments that cannot have any. `needs`
   * is the data that `visit` reads; a function names it for a segment shortly before that is loaded. When the search's
   * client disconnects, throws the abort reason. Blocks being read are still read to the end, for other searches that
   * wait for them. The rows are valid until `visit` yields.
   */
  async eachSegment(
    match: Match,
    needs: Partial<Needs> | ((directory: Directory) => Partial<Needs>),
    visit: (segment: Segment, rows: Bitmap) => void | Promise<void>,
    order?: SegmentOrder,
  ): Promise<void> {
    const needsOf = (directory: Directory): Needs => {
      const rest = narrowed(match, (column) => directory.ranges[column]!);
      if (rest.kind === 'none') return NOTHING;
      const own = typeof needs === 'function' ? needs(directory) : needs;
      const { terms = [], columns = [], ids = false, values } = own;
      const all = { terms: [...terms], columns: [...columns], ids: ids || this.changed.length > 0, values };
      addNeeds(rest, all);
      return all;
    };
    const entries = order === undefined ? this.entries : await this.entriesIn(order);
    for await (const segment of this.segments(entries, needsOf)) {
      const rest = narrowed(match, (column) => segment.rangeOf(column));
      if (rest.kind !== 'none') await visit(segment, segment.matching(rest, this.changed));
    }
  }

  /** Slices of work that end when the search's client disconnects. */
  turn(): EventLoopTurn {
    return new EventLoopTurn(this.run.client?.());
  }

  /** The range of a column over all rows of segments, outdated rows included. */
  async rangeOf(column: string): Promise<Range> {
    const range = emptyRange();
    for await (const segment of this.segments(this.entries, () => NOTHING)) {
      const { lowest, highest } = segment.rangeOf(column);
      extend(range, lowest);
      extend(range, highest);
    }
    return range;
  }

  /** The changed rows that match. */
  changedRows<Row extends object>(columns: ChangedColumns, filter: SearchFilter): Promise<Row[]> {
    if (this.changed.length === 0) return Promise.resolve([]);
    return this.run<Row>(selectChangedRows(this.table, this.workspaceId, columns, filter));
  }

  /** The segments in an order. */
  private async entriesIn({ column, isDescending }: SegmentOrder): Promise<SegmentEntry[]> {
    const placed: { entry: SegmentEntry; place: number }[] = [];
    for (const entries of chunksOf(this.entries, SEGMENTS_AT_ONCE)) {
      const directories = await this.loader().directories(entries);
      entries.forEach((entry, index) => {
        const { lowest, highest } = directories[index]!.ranges[column]!;
        placed.push({ entry, place: isDescending ? -highest : lowest });
      });
    }
    return placed.sort((a, b) => a.place - b.place).map(({ entry }) => entry);
  }

  /** The segments with the data they need, loaded a few at a time; other requests run in between. */
  private async *segments(
    entries: readonly SegmentEntry[],
    needsOf: (directory: Directory) => Needs,
  ): AsyncGenerator<Segment> {
    const client = this.run.client?.();
    const turn = this.turn();
    for (let start = 0; start < entries.length;) {
      client?.throwIfAborted();
      const some = entries.slice(start, start + SEGMENTS_AT_ONCE);
      const segments = await this.loader().load(some, needsOf, BYTES_AT_ONCE);
      start += segments.length;
      for (const segment of segments) {
        yield segment;
        if (turn.isOver) await turn.next();
      }
    }
  }

  private loader(): SegmentLoader {
    return new SegmentLoader(this.workspaceId, this.cache, this.run);
  }
}
