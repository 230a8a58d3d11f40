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
/** Arrays of numbers, which are most of the memory, do not count. */
const MAX_HEAP_MB = 256;

/** Learns one model in a thread of its own, because that computes for seconds. */
export class LearningThread {
  private readonly worker = new Worker(new URL('./learning-thread-main.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  private readonly learned: Promise<Learned>;

  constructor(signal: AbortSignal) {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    this.learned = new Promise((resolve, reject) => {
      this.worker.once('message', resolve);
      this.worker.once('error', reject);
      this.worker.once('exit', () => reject(new Error('the thread that learns ended')));
      limit.addEventListener('abort', () => reject(limit.reason as Error), { once: true });
    });
    this.learned.catch(() => undefined);
  }

  send(message: LearningMessage): void {
    this.worker.postMessage(message);
  }

  /** Learns from what was sent. Throws the signal's reason, or when the thread ends or needs too long. */
  learn(query: QueryWords): Promise<Learned> {
    this.send({ query });
    return this.learned;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
