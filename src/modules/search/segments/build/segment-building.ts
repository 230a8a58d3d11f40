import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../../../common/polling-loop.js';
import type { DueTable } from './builder-statements.js';
import { SegmentBuilder } from './segment-builder.js';

const INTERVAL_MS = 1_000;
/**
 * Pause after looking for due tables, as a multiple of the time it took, because it reads the lists of changes of all
 * workspaces.
 */
const PAUSE = 9;

/** Keeps the segments of all workspaces up to date: every second, runs one step for each due table in turn. */
@Injectable()
export class SegmentBuilding implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SegmentBuilding.name);
  private isStopping = false;
  private nextLookAt = 0;
  private readonly loop = new PollingLoop(
    () => this.buildDue(),
    INTERVAL_MS,
    (error) => this.logger.warn({ err: error }, 'building of segments failed; the next pass retries'),
  );

  constructor(@Inject(SegmentBuilder) private readonly builder: SegmentBuilder) {}

  onApplicationBootstrap(): void {
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
  }

  /** Runs one step for each due table; returns whether any step did something. Does nothing during the pause. */
  async buildDue(): Promise<boolean> {
    const startedAt = performance.now();
    if (startedAt < this.nextLookAt) return false;
    const due = await this.builder.due();
    const foundAt = performance.now();
    this.nextLookAt = foundAt + (foundAt - startedAt) * PAUSE;
    let hasMore = false;
    for (const table of due) {
      if (this.isStopping) return false;
      hasMore = (await this.build(table)) || hasMore;
    }
    return hasMore;
  }

  private async build(table: DueTable): Promise<boolean> {
    const startedAt = performance.now();
    try {
      const { rows, hasMore } = await this.builder.build(table);
      const durationMs = Math.round(performance.now() - startedAt);
      this.logger.debug({ ...table, rows, durationMs }, 'segment written');
      return hasMore;
    } catch (error) {
      // A step also fails when another process built segments of the table at the same time.
      this.logger.warn({ err: error, ...table }, 'segment not written; the next pass retries');
      return false;
    }
  }
}
