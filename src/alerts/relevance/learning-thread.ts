import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { QueryWords } from './query-standing.js';

/** A message to the thread: texts of matches with the decisions on them, texts of others, or the end of both. */
export type LearningMessage =
  | { matched: readonly string[]; decisions: readonly (0 | 1 | null)[] }
  | { others: readonly string[] }
  | { query: QueryWords };

/** A stored model, and the relevance of each text of a match, in the order in which they were sent. */
export interface Learned {
  model: Uint8Array;
  relevance: Float64Array;
}

const TIMEOUT_MS = 60_000;
/** A thread without work ends after this time, and with it the texts that it has in memory. */
const IDLE_MS = 30_000;
/** Arrays of numbers, which are most of the memory, do not count. */
const MAX_HEAP_MB = 256;

/**
 * Learns one model after another in a thread of its own, because that computes for seconds. Learning again from the same
 * texts is several times faster than from new ones.
 */
export class LearningThread {
  private worker: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;

  send(message: LearningMessage): void {
    clearTimeout(this.idle);
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  /** Learns from what was sent. Throws an abort when the signal does or the thread needs too long, or why it ended. */
  async learn(query: QueryWords, signal: AbortSignal): Promise<Learned> {
    const { worker } = this;
    if (worker === null) throw new Error('the thread that learns ended');
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = once(worker, 'message', { signal: limit });
    this.send({ query });
    const [learned] = (await answer) as [Learned];
    this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    return learned;
  }

  /** Ends the thread with all that was sent; the next message starts another. */
  async end(): Promise<void> {
    clearTimeout(this.idle);
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(new URL('./learning-thread-main.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on('error', () => {
      if (this.worker === worker) this.worker = null;
    });
    return worker;
  }
}
