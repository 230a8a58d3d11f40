/** A clock that waiting moves forward, so that no time passes in the test; `waits` records the length of each wait. */
export class AcceleratedTime {
  readonly waits: number[] = [];
  private current = Date.UTC(2026, 0, 1);

  readonly now = (): number => this.current;

  readonly sleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    this.waits.push(milliseconds);
    this.current += milliseconds;
    await new Promise((done) => setImmediate(done));
  };

  readonly random = (): number => 0.5;

  /** The dependencies that the platform's clients expect. */
  get dependencies() {
    return { now: this.now, sleep: this.sleep, random: this.random };
  }
}
