/** A clock that waits turn forward, so that nobody sits them out; `waits` tells how long each would have been. */
export class AcceleratedTime {
  readonly waits: number[] = [];

  constructor(private current = Date.UTC(2026, 0, 1)) {}

  readonly now = (): number => this.current;

  readonly sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    this.waits.push(milliseconds);
    this.current += milliseconds;
    await new Promise((done) => setImmediate(done));
  };

  readonly random = (): number => 0.5;

  /** As the platform's clients want it. */
  get dependencies() {
    return { now: this.now, sleep: this.sleep, random: this.random };
  }
}
