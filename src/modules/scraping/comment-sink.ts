import { setTimeout as sleep } from 'node:timers/promises';
import type { TreeProgress } from '../jobs/job-work.repository.js';
import type { BatchWriter, CommentBatch } from './batch-writer.js';
import type { CommentRow } from './records.js';
import type { ScrapeRun } from './scrape-run.js';

/** A batch is written when it holds this many comments, */
const BATCH_ROWS = 1_000;
/** or when its oldest has waited so long. */
const LINGER_MS = 50;
/** Walkers wait while this many comments are on their way to the database. */
const MAX_BUFFERED_ROWS = 4_000;

interface Slice {
  rows: CommentRow[];
  tree: TreeProgress;
}

/** Gathers the comments of all trees of a run into batches, in the order they came, one transaction at a time. */
export class CommentSink {
  private slices: Slice[] = [];
  private rows = 0;
  private writing: Promise<void> | null = null;
  private readonly blocked: (() => void)[] = [];
  private draining = false;

  constructor(
    private readonly run: ScrapeRun,
    private readonly writer: BatchWriter,
  ) {}

  /** Takes a slice; waits while too much is on its way. A failed write stops the run. */
  async push(slice: Slice): Promise<void> {
    this.run.signal.throwIfAborted();
    this.slices.push(slice);
    this.rows += slice.rows.length;
    this.writing ??= this.writeAll();
    while (this.rows > MAX_BUFFERED_ROWS && !this.run.signal.aborted)
      await new Promise<void>((resolve) => this.blocked.push(resolve));
    this.run.signal.throwIfAborted();
  }

  /** Writes what is left. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.writing;
    this.run.signal.throwIfAborted();
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.slices.length > 0) {
        if (this.rows < BATCH_ROWS && !this.draining)
          await sleep(LINGER_MS, undefined, { signal: this.run.signal });
        const batch = this.takeBatch();
        await this.run.timings.timed('write', () => this.writer.writeComments(this.run, batch));
        this.rows -= batch.comments.length;
        this.unblock();
      }
    } catch (error) {
      this.run.abort(error as Error);
    } finally {
      this.writing = null;
      this.unblock();
    }
  }

  /** Whole slices up to a batch's size; of every tree the latest progress. */
  private takeBatch(): CommentBatch {
    const comments: CommentRow[] = [];
    const trees = new Map<string, TreeProgress>();
    let taken = 0;
    for (const { rows, tree } of this.slices) {
      if (taken > 0 && comments.length + rows.length > BATCH_ROWS) break;
      comments.push(...rows);
      trees.set(tree.postId, tree);
      taken += 1;
    }
    this.slices.splice(0, taken);
    return { comments, trees: [...trees.values()] };
  }

  private unblock(): void {
    for (const resume of this.blocked.splice(0)) resume();
  }
}
