import { acrossWorkspaces } from './work-scope.js';

/**
 * Repeats a piece of work, one execution at a time: immediately while it reports that there is more, otherwise after
 * `intervalMs` or when woken. A failed execution is passed to `onError` and counts as having no more work. A loop runs
 * outside any workspace, even when a request of one wakes it.
 */
export class PollingLoop {
  private running = Promise.resolve();
  private isRunning = false;
  private timer: NodeJS.Timeout | undefined;
  private woken = false;
  private stopped = false;

  constructor(
    private readonly work: () => Promise<boolean>,
    private readonly intervalMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Executes the work now, or once more after the current execution. The first call starts the loop. */
  wake(): void {
    if (this.stopped) return;
    this.woken = true;
    if (!this.isRunning) this.running = acrossWorkspaces(() => this.run());
  }

  /** Stops the loop; resolves when the current execution has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
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
    this.isRunning = false;
    if (!this.stopped) this.timer = setTimeout(() => this.wake(), this.intervalMs);
  }
}
