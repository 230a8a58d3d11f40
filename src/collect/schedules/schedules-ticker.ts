import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DueClaimer } from './due-claimer.js';

const TICK_MS = 1_000;
/** A tick stops claiming after this time, which also bounds how long a shutdown waits for it. */
const TICK_BUDGET_MS = 10_000;

/** Runs the claimer every second. A late or missed tick only delays due times. */
@Injectable()
export class SchedulesTicker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(SchedulesTicker.name);
  private current: Promise<void> | null = null;
  private stopping = false;

  constructor(private readonly claimer: DueClaimer) {}

  @Interval(TICK_MS)
  async tick(): Promise<void> {
    if (this.current !== null || this.stopping) return;
    this.current = this.claim();
    await this.current;
    this.current = null;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.current;
  }

  private async claim(): Promise<void> {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    try {
      const recorded = await this.claimer.claimDue(() => !this.stopping && elapsed() < TICK_BUDGET_MS);
      if (recorded > 0)
        this.logger.log({ recorded, durationMs: Math.round(elapsed()) }, 'due schedules recorded');
    } catch (error) {
      this.logger.warn({ err: error }, 'claiming of due schedules failed; the next tick retries');
    }
  }
}
