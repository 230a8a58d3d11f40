import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { WorkPaused } from './leased-work.js';
import type { PollingLoop } from './polling-loop.js';

/** A provider whose loop runs from the start of the application until it stops. */
export abstract class RepeatedWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected abstract readonly loop: PollingLoop;
  /** Aborted with {@link WorkPaused} when the application begins to stop. */
  protected readonly stopping = new AbortController();

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  /** Resolves when the current execution of the loop has ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort(new WorkPaused('The process is stopping'));
    await this.loop.stop();
  }
}
