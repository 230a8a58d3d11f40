import { Inject, Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';

const INTERVAL_MS = 3_600_000;

/** Deletes one bounded batch of expired rows or files. Returns whether there may be more. */
export type PruneBatch = () => Promise<boolean>;

/**
 * Deletes expired data at the start and once an hour, in processes with the role worker or scheduler. The owner of a
 * table adds a step. Steps take turns batch by batch, and a step that fails is skipped until the next hour. Several
 * processes may prune at the same time, so steps skip locked rows.
 */
@Injectable()
export class Pruner extends RepeatedWork {
  private readonly steps = new Map<string, PruneBatch>();
  /** Steps of the current pass that may have more to delete. */
  private unfinished = new Set<string>();

  constructor(@Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'ROLES'>) {
    super(INTERVAL_MS, 'pruning failed', 'error');
  }

  /** Adds a step under a unique name. Call it before the application starts. */
  add(name: string, step: PruneBatch): void {
    this.steps.set(name, step);
  }

  override onApplicationBootstrap(): void {
    if (this.environment.ROLES.some((role) => role !== 'api')) this.loop.wake();
  }

  /** Executes one batch of every step that has not finished in this pass. Returns whether there may be more. */
  override async work(): Promise<boolean> {
    if (this.unfinished.size === 0) this.unfinished = new Set(this.steps.keys());
    for (const name of this.unfinished) {
      if (this.stopping.signal.aborted) return false;
      if (!(await this.pruneBatch(name))) this.unfinished.delete(name);
    }
    return this.unfinished.size > 0;
  }

  private async pruneBatch(step: string): Promise<boolean> {
    try {
      return await this.steps.get(step)!();
    } catch (error) {
      this.logger.error({ err: error, step }, 'pruning failed');
      return false;
    }
  }
}
