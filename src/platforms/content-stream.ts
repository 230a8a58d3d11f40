import type { StreamBatch } from './stream-batch.js';

/** All that is written on a platform, as it happens: for targets without a listing, and for what is deleted. */
export interface ContentStream {
  /** For how many milliseconds a process that gives no sign of life stays the reader; absent: 2,500. */
  readonly leaseMs?: number;
  /** The topic of a target whose posts come by the stream; null for a target with a listing. Absent: all have one. */
  topicOf?(target: { type: 'forum' | 'user'; name: string }): string | null;
  /** The position of a time. */
  positionAt(time: Date): string;
  /**
   * Connects and yields batches from a position on, also empty ones while nothing happens. Throws when the connection
   * fails or ends, and the signal's reason when it aborts.
   */
  read(position: string, signal: AbortSignal): AsyncIterable<StreamBatch>;
}
