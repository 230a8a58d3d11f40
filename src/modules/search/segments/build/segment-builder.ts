import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';
import { PollingLoop } from '../../../../common/polling-loop.js';
import { readBinary } from '../../../../database/binary-rows.js';
import { TransactionRunner } from '../../../../database/transaction-runner.js';
import type { Sql } from '../../../../database/sql.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchedTable } from '../../searched-table.js';
import { type Bitmap, bitmapBytes, countBits, SEGMENT_ROWS } from '../format/bitmap.js';
import { segmentColumns } from '../format/segment-fields.js';
import { BlockCache } from '../read/block-cache.js';
import {
  deleteChanges,
  deleteSegments,
  type DueTable,
  IDS_PER_CHANGE,
  insertBlocks,
  insertSegment,
  lockSegments,
  selectDue,
  type SegmentState,
  selectOldestChanges,
  selectSegmentRows,
  selectSegments,
  setOutdatedRows,
} from './builder-statements.js';
import { ChangeList } from '../read/change-lists.js';
import { type Mergeable, segmentsToMerge, segmentsToRewrite } from './merge-policy.js';
import { SegmentLoader } from '../read/segment-loader.js';
import type { Needs, Segment } from '../read/segment.js';
import { type SegmentRow, SegmentWriter } from './segment-writer.js';

/**
 * Number of a table's changed rows from which they are written into a segment; until then searches read them from the
 * table.
 */
const LEAST_CHANGED = 1_000;
/** Together, the lists of a step must fit into one segment; the last list may exceed this number. */
const MOST_CHANGED = SEGMENT_ROWS - IDS_PER_CHANGE;
/** Maximum number of rows that one statement reads and of blocks that one writes. */
const ROWS_PER_STATEMENT = 2_000;
const BLOCKS_PER_STATEMENT = 64;
/** Maximum number of segments whose ids are in memory at the same time. */
const SEGMENTS_AT_ONCE = 32;
/** How often due tables are looked for. */
const INTERVAL_MS = 1_000;
/**
 * Pause after looking for due tables, as a multiple of the time it took, because it reads the lists of changes of all
 * workspaces.
 */
const PAUSE = 9;

/** The result of a step. */
export interface BuiltStep {
  /** Rows of the segment that was written. */
  rows: number;
  /** Whether another step may have more to do. */
  hasMore: boolean;
}

/** A segment, and which of its rows will be outdated when the step ends. */
interface Examined extends Mergeable {
  outdated: Bitmap;
  /** How many rows became outdated. */
  added: number;
  segment: Segment;
}

/**
 * Writes changed rows into segments. Each segment is written in one transaction that also removes its rows from the
 * lists of changes, so a process that is killed leaves everything as before or as after. All reads use one snapshot, so
 * a row that changes meanwhile stays listed. Any number of processes may build: every second, each runs one step for each
 * due table in turn.
 */
export class SegmentBuilder implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SegmentBuilder.name);
  private readonly cache = new BlockCache();
  private isStopping = false;
  private nextLookAt = 0;
  private readonly loop = new PollingLoop(
    () => this.buildDue(),
    INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'building of segments failed; the next pass retries'),
  );

  constructor(
    private readonly tables: readonly SearchedTable[],
    private readonly transactions: TransactionRunner,
    private readonly leastChanged = LEAST_CHANGED,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
  }

  /** Runs one step for each due table; returns whether any step did something. Does nothing during the pause. */
  async buildDue(): Promise<boolean> {
    const startedAt = performance.now();
    if (startedAt < this.nextLookAt) return false;
    const due = await this.due();
    const foundAt = performance.now();
    this.nextLookAt = foundAt + (foundAt - startedAt) * PAUSE;
    let hasMore = false;
    for (const table of due) {
      if (this.isStopping) return false;
      hasMore = (await this.buildLogged(table)) || hasMore;
    }
    return hasMore;
  }

  /** Tables of all workspaces whose segments are due for an update. */
  due(): Promise<DueTable[]> {
    return this.transactions.run((tx) => runIn(tx)<DueTable>(selectDue(this.leastChanged)));
  }

  /**
   * Rewrites stale segments. If there are none, writes changed rows into a segment, up to its maximum number of rows.
   * Does nothing while another process builds segments of the same table.
   */
  build({ workspaceId, kind }: DueTable): Promise<BuiltStep> {
    const table = this.tables.find(({ name }) => name === kind)!;
    return this.transactions.runInSnapshot(async (tx) => {
      const run = runIn(tx);
      const [lock] = await run<{ isLocked: boolean }>(lockSegments(workspaceId, kind));
      if (!lock!.isLocked) return { rows: 0, hasMore: false };
      const states = await run<SegmentState>(selectSegments(workspaceId, kind));
      // Stale segments are rewritten in a step of their own: with the changed rows they might exceed one segment.
      const isStale = states.some((state) => state.isStale);
      const lists = isStale
        ? []
        : await run<{ id: string; rowIds: string[] }>(selectOldestChanges(workspaceId, kind, MOST_CHANGED));
      const changed = new Set(lists.flatMap(({ rowIds }) => rowIds));
      const segments = await this.examine(workspaceId, states, changed, run);
      const merged = isStale ? segmentsToRewrite(segments) : segmentsToMerge(segments, changed.size);
      const writer = new SegmentWriter(table);
      for (const one of merged)
        if (isStale) for (const id of one.segment.idsWithout(one.outdated)) changed.add(id);
        else await this.addSegment(table, workspaceId, one, writer, run);
      await this.addRows(table, workspaceId, [...changed], writer, run);
      await this.write(table, workspaceId, writer, run);
      for (const { id, outdated, added } of segments.filter((one) => !merged.includes(one)))
        if (added > 0)
          await run(setOutdatedRows(workspaceId, id, countBits(outdated), bitmapBytes(outdated)));
      await run(
        deleteSegments(
          workspaceId,
          merged.map(({ id }) => id),
        ),
      );
      await run(
        deleteChanges(
          workspaceId,
          kind,
          lists.map(({ id }) => id),
        ),
      );
      return { rows: writer.rows, hasMore: isStale || lists.length > 0 };
    });
  }

  private async buildLogged(table: DueTable): Promise<boolean> {
    const startedAt = performance.now();
    try {
      const { rows, hasMore } = await this.build(table);
      const durationMs = Math.round(performance.now() - startedAt);
      this.logger.debug({ ...table, rows, durationMs }, 'segment written');
      return hasMore;
    } catch (error) {
      // A step also fails when another process built segments of the table at the same time.
      this.logger.warn({ err: error, ...table }, 'segment not written; the next pass retries');
      return false;
    }
  }

  /** Determines which rows of the segments will be outdated once the changed rows are marked. */
  private async examine(
    workspaceId: string,
    states: readonly SegmentState[],
    changed: ReadonlySet<string>,
    run: RunSearch,
  ): Promise<Examined[]> {
    const list = new ChangeList([...changed]);
    const examined: Examined[] = [];
    for (let start = 0; start < states.length; start += SEGMENTS_AT_ONCE) {
      const part = states.slice(start, start + SEGMENTS_AT_ONCE);
      const loader = new SegmentLoader(workspaceId, this.cache, run);
      const needs = { terms: [], columns: [], ids: true };
      const segments = await loader.load(
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

  /** Adds the current rows of a segment, read from its blocks. */
  private async addSegment(
    table: SearchedTable,
    workspaceId: string,
    { id, segment, outdated }: Examined,
    writer: SegmentWriter,
    run: RunSearch,
  ): Promise<void> {
    const loader = new SegmentLoader(workspaceId, this.cache, run);
    const [loaded] = await loader.load([[id, segment.rows, 0]], () => everythingOf(table));
    await writer.addSegment(loaded!, outdated);
  }

  /** Adds the rows that still exist. */
  private async addRows(
    table: SearchedTable,
    workspaceId: string,
    ids: readonly string[],
    writer: SegmentWriter,
    run: RunSearch,
  ): Promise<void> {
    for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
      const part = ids.slice(start, start + ROWS_PER_STATEMENT);
      for (const { row } of await run<{ row: SegmentRow }>(selectSegmentRows(table, workspaceId, part)))
        writer.add(row);
    }
  }

  private async write(
    table: SearchedTable,
    workspaceId: string,
    writer: SegmentWriter,
    run: RunSearch,
  ): Promise<void> {
    if (writer.rows === 0) return;
    const [segment] = await run<{ id: string }>(insertSegment(workspaceId, table.name, writer.rows));
    const blocks = await writer.blocks();
    for (let start = 0; start < blocks.length; start += BLOCKS_PER_STATEMENT)
      await run(
        insertBlocks(workspaceId, segment!.id, start, blocks.slice(start, start + BLOCKS_PER_STATEMENT)),
      );
  }
}

/** Requests all data of a segment. */
const everythingOf = (table: SearchedTable): Needs => ({
  terms: [{ key: '', isWhole: false, withPositions: true }],
  columns: Object.keys(segmentColumns(table)),
  ids: true,
});

const runIn = (tx: EntityManager): RunSearch =>
  Object.assign(<Row extends object>({ text, parameters }: Sql) => tx.query<Row[]>(text, parameters), {
    // Uses the connection of this transaction.
    inBinary: async (sql: Sql) => readBinary((await tx.queryRunner!.connect()) as ClientBase, sql),
  });
