import type { ClientBase } from 'pg';
import type { EntityManager } from 'typeorm';
import { RepeatedWork } from '../../../common/repeated-work.js';
import { readBinary } from '../../../database/binary-rows.js';
import { TransactionRunner } from '../../../database/transaction-runner.js';
import type { Sql } from '../../../database/sql.js';
import type { RunSearch } from '../../search-database.js';
import type { SearchedTable } from '../../searched-table.js';
import { SEGMENT_ROWS } from '../format/bitmap.js';
import { BlockCache } from '../read/block-cache.js';
import { BuildStep } from './build-step.js';
import {
  deleteChanges,
  type DueTable,
  IDS_PER_CHANGE,
  type IndexedTable,
  listRows,
  lockSegments,
  selectDue,
  type SegmentState,
  selectOldestChanges,
  selectSegments,
  selectUnlisted,
} from './builder-statements.js';
import { segmentsToMerge, segmentsToRewrite } from './merge-policy.js';

/**
 * Number of a table's changed rows from which they are written into a segment; until then searches read them from the
 * table.
 */
const LEAST_CHANGED = 1_000;
/** Together, the lists of a step must fit into one segment; the last list may exceed this number. */
const MOST_CHANGED = SEGMENT_ROWS - IDS_PER_CHANGE;
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

/**
 * Writes changed rows into segments. Each segment is written in one transaction that also removes its rows from the
 * lists of changes, so a process that is killed leaves everything as before or as after. All reads use one snapshot, so
 * a row that changes while it runs stays listed. Any number of processes may build.
 */
export class SegmentBuilder extends RepeatedWork {
  private readonly cache = new BlockCache();
  private hasListed = false;
  private nextLookAt = 0;
  private rewrites = 0;

  constructor(
    private readonly tables: readonly SearchedTable[],
    private readonly transactions: TransactionRunner,
    private readonly leastChanged = LEAST_CHANGED,
  ) {
    super(INTERVAL_MS, 'building of segments failed; the next pass retries');
  }

  /**
   * Runs one step for each table with changed rows, then rewrites the stale segments of one table, so that changed rows
   * wait for one rewrite at most. Returns whether any step did something. Does nothing during the pause.
   */
  override async work(): Promise<boolean> {
    const startedAt = performance.now();
    if (startedAt < this.nextLookAt) return false;
    if (!this.hasListed) await this.listUnlisted();
    const due = await this.due();
    const foundAt = performance.now();
    this.nextLookAt = foundAt + (foundAt - startedAt) * PAUSE;
    let hasMore = false;
    for (const table of due.filter(({ hasChanges }) => hasChanges)) {
      if (this.stopping.signal.aborted) return false;
      hasMore = (await this.logged(table, () => this.build(table))) || hasMore;
    }
    const stale = due.filter(({ hasStale }) => hasStale);
    const next = stale[(this.rewrites += 1) % Math.max(1, stale.length)];
    if (next === undefined || this.stopping.signal.aborted) return hasMore;
    return (await this.logged(next, () => this.rewrite(next))) || hasMore;
  }

  /** Tables of all workspaces whose segments are due for an update. */
  due(): Promise<DueTable[]> {
    return this.transactions.run((tx) => runIn(tx)<DueTable>(selectDue(this.leastChanged)));
  }

  /** Lists all rows of tables that have neither segments nor changes, because a backup has left them out. */
  async listUnlisted(): Promise<void> {
    for (const table of this.tables) {
      const unlisted = selectUnlisted(table);
      const found = await this.transactions.run((tx) => runIn(tx)<IndexedTable>(unlisted));
      for (const { workspaceId } of found)
        await this.locked({ workspaceId, kind: table.name }, async (run) => {
          const still = await run<IndexedTable>(unlisted);
          if (still.some((one) => one.workspaceId === workspaceId)) await run(listRows(table, workspaceId));
          return { rows: 0, hasMore: true };
        });
    }
    this.hasListed = true;
  }

  /**
   * Writes changed rows into a segment, up to its maximum number of rows. Does nothing while another process builds
   * segments of the same table.
   */
  build({ workspaceId, kind }: IndexedTable): Promise<BuiltStep> {
    return this.locked({ workspaceId, kind }, async (run, step) => {
      const states = await run<SegmentState>(selectSegments(workspaceId, kind));
      const lists = await run<{ id: string; rowIds: string[] }>(
        selectOldestChanges(workspaceId, kind, MOST_CHANGED),
      );
      const changed = [...new Set(lists.flatMap(({ rowIds }) => rowIds))];
      const segments = await step.examine(states, changed);
      const merged = segmentsToMerge(segments, changed.length);
      await step.addSegments(merged);
      const erased = await step.addRows(changed);
      await step.replace(merged);
      await step.mark(
        segments.filter((segment) => !merged.includes(segment)),
        erased,
      );
      const listIds = lists.map(({ id }) => id);
      await run(deleteChanges(workspaceId, kind, listIds));
      return { rows: step.rows, hasMore: lists.length > 0 };
    });
  }

  /** Rewrites stale segments without their outdated rows, as many as fit into one, from their blocks. */
  rewrite({ workspaceId, kind }: IndexedTable): Promise<BuiltStep> {
    return this.locked({ workspaceId, kind }, async (run, step) => {
      const states = await run<SegmentState>(selectSegments(workspaceId, kind));
      const stale = await step.examine(
        states.filter(({ isStale }) => isStale),
        [],
      );
      const rewritten = segmentsToRewrite(stale);
      await step.addSegments(rewritten);
      await step.replace(rewritten);
      return { rows: step.rows, hasMore: stale.length > 0 };
    });
  }

  /** Runs a step in one snapshot; does nothing while another process builds segments of the same table. */
  private locked(
    { workspaceId, kind }: IndexedTable,
    work: (run: RunSearch, step: BuildStep) => Promise<BuiltStep>,
  ): Promise<BuiltStep> {
    const table = this.tables.find(({ name }) => name === kind)!;
    return this.transactions.runInSnapshot(async (tx) => {
      const run = runIn(tx);
      const [lock] = await run<{ isLocked: boolean }>(lockSegments(workspaceId, kind));
      if (!lock!.isLocked) return { rows: 0, hasMore: false };
      return work(run, new BuildStep(table, workspaceId, run, this.cache));
    });
  }

  private async logged(table: IndexedTable, step: () => Promise<BuiltStep>): Promise<boolean> {
    const startedAt = performance.now();
    const { workspaceId, kind } = table;
    try {
      const { rows, hasMore } = await step();
      const durationMs = Math.round(performance.now() - startedAt);
      this.logger.debug({ workspaceId, kind, rows, durationMs }, 'segment written');
      return hasMore;
    } catch (error) {
      // A step also fails when another process built segments of the table at the same time.
      this.logger.warn({ err: error, workspaceId, kind }, 'segment not written; the next pass retries');
      return false;
    }
  }
}

const runIn = (tx: EntityManager): RunSearch =>
  Object.assign(<Row extends object>({ text, parameters }: Sql) => tx.query<Row[]>(text, parameters), {
    // Uses the connection of this transaction.
    inBinary: async (sql: Sql) => readBinary((await tx.queryRunner!.connect()) as ClientBase, sql),
  });
