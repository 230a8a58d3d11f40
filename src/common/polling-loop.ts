/**
 * Runs a piece of work again and again, one run at a time: at once while it reports that there is more, else after
 * `intervalMs` or when woken. A failing run is told to `onError` and counts as one without more to do.
 */
export class PollingLoop {
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private woken = false;
  private stopped = false;

  constructor(
    private readonly work: () => Promise<boolean>,
    private readonly intervalMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Runs now, or once more when a run is under way. */
  wake(): void {
    if (this.stopped) return;
    this.woken = true;
    this.running ??= this.run();
  }

  /** Ends the loop; resolves when the run that is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer);
    while (this.woken && !this.stopped) {
      this.woken = false;
      try {
        if (await this.work()) this.woken = true;
      } catch (error) {
        this.woken = false;
        this.onError(error);
      }
    }
    this.running = null;
    if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.intervalMs);
  }
}
