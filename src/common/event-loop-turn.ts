import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which long work yields to other requests of the process. */
const TURN_MS = 5;

/** Divides long work into slices, between which the process does other work. */
export class EventLoopTurn {
  private beganAt = performance.now();

  /** When `signal` aborts, the work ends at the next {@link EventLoopTurn.next}. */
  constructor(private readonly signal?: AbortSignal) {}

  /** Whether the slice has taken its time. */
  get isOver(): boolean {
    return performance.now() - this.beganAt >= TURN_MS;
  }

  /** Resolves when the event loop has done other work. Throws the signal's reason once it has aborted. */
  async next(): Promise<void> {
    await nextTurn();
    this.signal?.throwIfAborted();
    this.beganAt = performance.now();
  }
}
