import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RepeatedWork } from '../../common/repeated-work.js';
import { ErasurePass } from './erasure-pass.js';
import { ErasuresRepository } from './erasures.repository.js';

const POLL_MS = 1_000;
/** Longer than any step; another process continues after it when this one is killed. */
const LEASE_MS = 60_000;
/** Erasures that take turns. */
const AT_ONCE = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Carries out erasures, oldest first and step by step in turns, with a pause after each step for as long as it took. Several
 * schedulers may do this. Suspended workspaces are included, because a person's request does not wait.
 */
@Injectable()
export class ErasureWorker extends RepeatedWork {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly pass: ErasurePass,
  ) {
    super(POLL_MS, 'erasing failed; it is retried', 'error');
  }

  /** Executes one step of each unfinished erasure. Returns whether more can be done at once. */
  override async work(): Promise<boolean> {
    let isMore = false;
    for (const { workspaceId, id } of await this.erasures.findUnfinished(AT_ONCE)) {
      if (this.stopping.signal.aborted) return false;
      const startedAt = performance.now();
      if (!(await this.step(workspaceId, id))) continue;
      isMore = true;
      await sleep(Math.min(LONGEST_PAUSE_MS, performance.now() - startedAt));
    }
    return isMore;
  }

  /** A step that fails must not delay other erasures. */
  private async step(workspaceId: string, id: string): Promise<boolean> {
    const erasure = await this.erasures.claim(workspaceId, id, LEASE_MS);
    if (erasure === null) return false;
    try {
      return await this.pass.step(erasure, this.stopping.signal);
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.logger.error({ err: error, workspaceId, erasureId: id }, 'erasing failed; it is retried');
      return false;
    } finally {
      await this.erasures.release(erasure);
    }
  }
}
