import { LRUCache } from 'lru-cache';
import { SqlParameters } from '../../../database/sql.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchFilter } from '../../search-request.js';
import type { SearchedTable } from '../../searched-table.js';
import { KnownValues } from '../format/term-keys.js';
import type { BlockCache } from './block-cache.js';
import { ChangeLists } from './change-lists.js';
import { type Match, planMatch, PostgresExpressions } from './match.js';
import { SegmentSearch } from './segment-search.js';
import { SegmentSnapshot } from './segment-snapshot.js';
import { selectState, type StateRow } from './segment-statements.js';

/** With fewer rows in segments, statements over the table are as fast. */
const LEAST_ROWS = 20_000;
/** With more changed rows outside the segments, reading those takes longer than the segments save. */
const MOST_CHANGED = 20_000;
/** How long the state of a workspace whose segments are not used is not read again. */
const SKIPPED_MS = 2_000;
const MAX_SKIPPED = 10_000;
/** Memory for the numbers of a table's values, as a share of that for blocks: half of it for both tables. */
const SHARE_OF_VALUES = 0.25;

/** Limits that decide whether segments are used; tests lower them to use segments for fewer rows. */
export interface SegmentLimits {
  leastRows: number;
  mostChanged: number;
}

/** The segments of one table, of all workspaces. */
export class SegmentIndex {
  private readonly changes = new ChangeLists();
  private readonly values: KnownValues;
  private readonly skipSegmentsUntil = new LRUCache<string, true>({ max: MAX_SKIPPED, ttl: SKIPPED_MS });

  constructor(
    private readonly table: SearchedTable,
    private readonly cache: BlockCache,
    private readonly limits: SegmentLimits = { leastRows: LEAST_ROWS, mostChanged: MOST_CHANGED },
  ) {
    this.values = new KnownValues(Math.floor(cache.maxSize * SHARE_OF_VALUES));
  }

  /** Bytes of the numbers of values. */
  get valueBytes(): number {
    return this.values.bytes;
  }

  /**
   * An engine for searches with the first of these filters, which a time series of keywords compares with the second. It
   * reads the snapshot of the transaction of `run`. Null when statements over the table must answer: too few rows in
   * segments, too many changed rows, phrases of word prefixes, or filters by fields that segments
   * do not store.
   */
  async open(
    workspaceId: string,
    filters: readonly SearchFilter[],
    run: RunSearch,
  ): Promise<SegmentSearch | null> {
    if (this.skipSegmentsUntil.has(workspaceId)) return null;
    const computed = new PostgresExpressions(new SqlParameters());
    const planned = filters.map((filter) => planMatch(this.table, filter, computed));
    if (planned.includes(null)) return null;
    const known = this.changes.known(workspaceId);
    const sql = selectState(this.table, workspaceId, this.limits.mostChanged, known.keys(), computed);
    const [state] = await run<StateRow>(sql);
    if (!this.isUsable(state!)) {
      this.skipSegmentsUntil.set(workspaceId, true);
      return null;
    }
    const matches = planned.map((match) => match!(state!.results));
    if (!isComplete(matches)) return null;
    const changed = this.changes.see(workspaceId, state!.changed!, known);
    const snapshot = new SegmentSnapshot(workspaceId, this.table, state!.segments, changed, run, this.cache);
    return new SegmentSearch(snapshot, matches, state!.revision, this.values);
  }

  private isUsable({ segments, changed }: StateRow): boolean {
    const rows = segments.reduce((sum, [, all, outdated]) => sum + all - outdated, 0);
    return changed !== null && rows >= this.limits.leastRows;
  }
}

const isComplete = (matches: readonly (Match | null)[]): matches is Match[] => !matches.includes(null);
