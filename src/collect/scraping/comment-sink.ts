import type { BatchWriter, CommentBatch } from './batch-writer.js';
import type { JobExecution } from './job-execution.js';
import type { CommentRow } from './records.js';
import type { TreeProgress } from './work-list.repository.js';

/** Number of comments after which a batch is written. */
const BATCH_ROWS = 1_000;
/**
 * Longest time that a comment waits for its batch to fill. Every batch costs the worker and Postgres as much as dozens of
 * comments; event streams still report stored comments within a second.
 */
const LINGER_MS = 250;
/** Walkers wait while more than this many comments are unwritten. */
const MAX_BUFFERED_ROWS = 4_000;

interface Slice {
  rows: CommentRow[];
  tree: TreeProgress;
}

/** Batches the comments of all trees of a job in order of arrival, and writes one batch at a time. */
export class CommentSink {
  private slices: Slice[] = [];
  private rows = 0;
  private writing: Promise<void> | null = null;
  private readonly waiting: (() => void)[] = [];
  private draining = false;
  /** Ends the current wait for more comments. */
  private endLinger: () => void = () => undefined;

  constructor(
    private readonly execution: JobExecution,
    private readonly writer: Pick<BatchWriter, 'writeComments'>,
  ) {}

  /** Adds a slice; waits while too many comments are unwritten. A failed write aborts the execution. */
  async push(slice: Slice): Promise<void> {
    this.execution.signal.throwIfAborted();
    this.slices.push(slice);
    this.rows += slice.rows.length;
    if (this.rows >= BATCH_ROWS) this.endLinger();
    this.writing ??= this.writeAll();
    while (this.rows > MAX_BUFFERED_ROWS && !this.execution.signal.aborted)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.execution.signal.throwIfAborted();
  }

  /** Writes the remaining slices; none may be added afterwards. */
  async drain(): Promise<void> {
    this.draining = true;
    this.endLinger();
    await this.writing;
    this.execution.signal.throwIfAborted();
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.slices.length > 0) {
        if (this.rows < BATCH_ROWS && !this.draining) await this.linger();
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

  /** Waits until the batch is full, no more comments come, or the time is over. Throws the reason of an abort. */
  private async linger(): Promise<void> {
    const { signal } = this.execution;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LINGER_MS);
      this.endLinger = () => (clearTimeout(timer), resolve());
      signal.addEventListener('abort', this.endLinger, { once: true });
    });
    signal.removeEventListener('abort', this.endLinger);
    signal.throwIfAborted();
  }

  /** Takes whole slices up to the batch size, and the latest progress of each tree. */
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
