import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchWriter, CommentBatch } from './batch-writer.js';
import type { JobExecution } from './job-execution.js';
import type { CommentRow } from './records.js';
import type { TreeProgress } from './work-list.repository.js';

/** A batch is written when it contains this many comments, */
const BATCH_ROWS = 1_000;
/** or when its oldest comment has waited this long. */
const LINGER_MS = 50;
/** Walkers wait while more comments than this are not yet written. */
const MAX_BUFFERED_ROWS = 4_000;

interface Slice {
  rows: CommentRow[];
  tree: TreeProgress;
}

/** Collects the comments of all trees of a job into batches, in order of arrival, and writes one batch at a time. */
export class CommentSink {
  private slices: Slice[] = [];
  private rows = 0;
  private writing: Promise<void> | null = null;
  private readonly waiting: (() => void)[] = [];
  private draining = false;

  constructor(
    private readonly execution: JobExecution,
    private readonly writer: Pick<BatchWriter, 'writeComments'>,
  ) {}

  /** Adds a slice; waits while too many comments are unwritten. A failed write aborts the execution. */
  async push(slice: Slice): Promise<void> {
    this.execution.signal.throwIfAborted();
    this.slices.push(slice);
    this.rows += slice.rows.length;
    this.writing ??= this.writeAll();
    while (this.rows > MAX_BUFFERED_ROWS && !this.execution.signal.aborted)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.execution.signal.throwIfAborted();
  }

  /** Writes what is left; no slice may be added after it. */
  async drain(): Promise<void> {
    this.draining = true;
    await this.writing;
    this.execution.signal.throwIfAborted();
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.slices.length > 0) {
        if (this.rows < BATCH_ROWS && !this.draining)
          await sleep(LINGER_MS, undefined, { signal: this.execution.signal });
        const batch = this.takeBatch();
        await this.execution.timings.timed('write', () => this.writer.writeComments(this.execution, batch));
        this.rows -= batch.comments.length;
        this.resumeWaiting();
      }
    } catch (error) {
      this.execution.abort(error as Error);
    } finally {
      this.writing = null;
      this.resumeWaiting();
    }
  }

  /** Takes whole slices up to a batch's size, and of every tree the latest progress. */
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

  private resumeWaiting(): void {
    for (const resume of this.waiting.splice(0)) resume();
  }
}
