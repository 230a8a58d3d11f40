import { Injectable } from '@nestjs/common';
import { beginningOf } from '../../common/strings.js';

/** A single failed claim, such as at a failover of Postgres, is repeated without anyone being told. */
const TOLD_AFTER_MS = 2_000;
const MAX_REASON_CHARACTERS = 300;

/** How long this process could not claim jobs, and the message of the last error. */
export interface ClaimFailure {
  seconds: number;
  reason: string;
}

/** Whether this process, as a worker, fails to claim jobs, which looks like a busy worker otherwise. */
@Injectable()
export class ClaimFailures {
  private failing: { since: number; reason: string } | null = null;

  /** Records a claim that failed. */
  add(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const reason = beginningOf(message.split('\n', 1)[0]!, MAX_REASON_CHARACTERS);
    this.failing = { since: this.failing?.since ?? performance.now(), reason };
  }

  /** Records a claim that succeeded, whether or not there was a job. */
  end(): void {
    this.failing = null;
  }

  /** The failure, once claims have failed for at least two seconds without any success; null otherwise. */
  current(): ClaimFailure | null {
    if (this.failing === null) return null;
    const elapsedMs = performance.now() - this.failing.since;
    return elapsedMs < TOLD_AFTER_MS ? null : { seconds: elapsedMs / 1_000, reason: this.failing.reason };
  }
}
