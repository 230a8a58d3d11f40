import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { DueClaimer } from './due-claimer.js';

const TICK_MS = 1_000;
/** How long one tick may go on claiming before it lets the next begin. */
const TICK_BUDGET_MS = 10_000;

/** Wakes the claimer. Ticks decide nothing: a late or missing one delays runs and loses none. */
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
    const begun = performance.now();
    const elapsed = () => performance.now() - begun;
    try {
      const settled = await this.claimer.claimDue(() => !this.stopping && elapsed() < TICK_BUDGET_MS);
      if (settled > 0) this.logger.log({ settled, ms: Math.round(elapsed()) }, 'due schedules settled');
    } catch (error) {
      this.logger.warn({ err: error }, 'due schedules could not be claimed; the next tick tries again');
    }
  }
}
