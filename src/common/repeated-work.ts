import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { WorkPaused } from './leased-work.js';
import { PollingLoop } from './polling-loop.js';

/** A provider whose {@link PollingLoop} runs from the start of the application until it stops. */
export abstract class RepeatedWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  protected readonly loop: PollingLoop;
  /** Aborted with {@link WorkPaused} when the application begins to stop. */
  protected readonly stopping = new AbortController();

  /** `failure` and `level` are those of the line in the log when an execution fails. */
  constructor(
    intervalMs: number,
    private readonly failure: string,
    private readonly level: 'warn' | 'error' = 'warn',
  ) {
    this.loop = new PollingLoop(
      () => this.work(),
      intervalMs,
      (error) => this.onFailure(error),
    );
  }

  /** One execution; true when there is more to do at once. */
  abstract work(): Promise<boolean>;

  protected onFailure(error: unknown): void {
    this.logger[this.level]({ err: error }, this.failure);
  }

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  /** Resolves when the current execution of the loop has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new WorkPaused('The process is stopping'));
    await this.loop.stop();
  }
}
