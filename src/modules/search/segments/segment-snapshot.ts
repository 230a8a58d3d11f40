import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunSearch } from '../search-database.js';
import type { SearchedTable } from '../searched-table.js';
import type { Bitmap } from './bitmap.js';
import type { BlockCache } from './block-cache.js';
import type { ChangeList } from './change-lists.js';
import type { Match } from './match.js';
import { emptyRange, extend, type Range } from './range.js';
import { SegmentLoader } from './segment-loader.js';
import { type ChangedColumns, type SegmentEntry, selectChangedRows } from './segment-statements.js';
import { addNeeds, type Needs, type Segment } from './segment.js';

/** Segments that are loaded and evaluated together, which bounds what one evaluation keeps in memory. */
const SEGMENTS_AT_ONCE = 16;
/** Time after which other requests of the process have a turn. */
const TURN_MS = 5;

/** The rows of a workspace at one moment: those that segments hold, and those that changed since. */
export class SegmentSnapshot<Filter extends { q?: string }> {
  constructor(
    private readonly workspaceId: string,
    private readonly table: SearchedTable<Filter, string>,
    private readonly entries: readonly SegmentEntry[],
    private readonly changed: readonly ChangeList[],
    readonly run: RunSearch,
    private readonly cache: BlockCache,
  ) {}

  /**
   * Calls `visit` with each segment and its rows that match and have not changed since; `needs` is what `visit` reads. Throws the
   * reason when the search's client is gone; blocks that are being read are read to their end, for other searches that need them.
   */
  async eachSegment(
    match: Match,
    needs: Pick<Needs, 'terms' | 'columns'> & Partial<Needs>,
    visit: (segment: Segment, rows: Bitmap) => void,
  ): Promise<void> {
    const all: Needs = {
      terms: [...needs.terms],
      columns: [...needs.columns],
      ids: needs.ids === true || this.changed.length > 0,
    };
    addNeeds(match, all);
    for await (const segment of this.segments(all)) visit(segment, segment.matching(match, this.changed));
  }

  /** Between which numbers of a column all rows of segments are, those that have changed since included. */
  async rangeOf(column: string): Promise<Range> {
    const range = emptyRange();
    for await (const segment of this.segments({ terms: [], columns: [column], ids: false })) {
      const { lowest, highest } = segment.rangeOf(column);
      extend(range, lowest);
      extend(range, highest);
    }
    return range;
  }

  /** The matching ones of the rows that changed. */
  changedRows<Row extends object>(columns: ChangedColumns, filter: Filter): Promise<Row[]> {
    if (this.changed.length === 0) return Promise.resolve([]);
    return this.run<Row>(selectChangedRows(this.table, this.workspaceId, columns, filter));
  }

  /** The segments with what is needed of them, a few loaded at once; other requests have turns between them. */
  private async *segments(needs: Needs): AsyncGenerator<Segment> {
    let turn = performance.now();
    for (let start = 0; start < this.entries.length; start += SEGMENTS_AT_ONCE) {
      const loader = new SegmentLoader(this.workspaceId, this.cache, this.run);
      this.run.client?.throwIfAborted();
      for (const segment of await loader.load(this.entries.slice(start, start + SEGMENTS_AT_ONCE), needs)) {
        yield segment;
        if (performance.now() - turn < TURN_MS) continue;
        await nextTurn();
        this.run.client?.throwIfAborted();
        turn = performance.now();
      }
    }
  }
}
