import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { DeliveriesRepository } from './deliveries.repository.js';

/** How long events and what became of them are kept. */
export const KEPT_MS = 30 * 86_400_000;
const INTERVAL_MS = 3_600_000;
const BATCH = 500;

/** Forgets old events with their deliveries, a bounded number at a time. */
@Injectable()
export class HistoryPruner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(HistoryPruner.name);
  private readonly loop = new PollingLoop(
    () => this.pruneBatch(),
    INTERVAL_MS,
    (error) => this.logger.error({ err: error }, 'old deliveries could not be pruned'),
  );

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** Whether there may be more. */
  async pruneBatch(): Promise<boolean> {
    return (await this.deliveries.prune(new Date(this.clock.now().getTime() - KEPT_MS), BATCH)) === BATCH;
  }
}
