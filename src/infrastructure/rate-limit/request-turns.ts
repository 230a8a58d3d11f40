import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { FairTurns, NoTurnError } from '../../common/fair-turns.js';
import { RefilledBudget } from '../../common/refilled-budget.js';
import { Problem } from '../../http/problems/problem.js';
import { ClientGoneError } from '../../http/request/request-scope.js';

/** Requests of a workspace at once: enough to keep the process busy while each of them waits for Postgres. */
const PER_WORKSPACE = 4;
/** Limit for all workspaces together. */
const RUNNING = 16;
/**
 * Requests that a workspace may send before it counts as busy: at once more than a page of the dashboard sends, and each
 * second the rate that the default limit of a key allows over time. It no longer counts as busy 10 s after its last request.
 */
const BUDGET = { burst: 20, refillPerSecond: 10, maxExcess: 100 };
/** How long after a request of a workspace that is not busy the busy ones share one place. */
const OTHERS_PRESENT_MS = 1_000;
/** After this time a request waits for something other than the processor, e.g. a slow search or its client. */
const LONGEST_TURN_MS = 50;
const WAITING = { total: 10_000, perTenant: 1_000 };
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '1';

/**
 * The requests of all workspaces in this process. Workspaces that send many share one place in turns while others send
 * a few, so that hundreds of requests at once delay the others by the time of about one request. Without such others
 * they share {@link PER_WORKSPACE} places.
 */
@Injectable()
export class RequestTurns {
  private readonly recent = new RefilledBudget(BUDGET);
  private readonly turns = new FairTurns({ running: () => RUNNING, waiting: WAITING });
  private readonly busyTurns = new FairTurns({ running: () => this.busyPlaces, waiting: WAITING });
  /** The `performance.now()` of the last request of a workspace that is not busy. */
  private othersSeenAt = -Infinity;

  /**
   * Waits for the turn of a request, which ends with its response, or after 50 ms. Throws 429 `rate_limited` when too
   * many requests of the workspace wait, and {@link ClientGoneError} when the client disconnected while waiting.
   */
  async enter(workspaceId: string, response: ServerResponse): Promise<void> {
    let free: () => void;
    try {
      free = await this.turnsOf(workspaceId).take(workspaceId, {
        atMost: () => PER_WORKSPACE,
        waitMs: WAIT_MS,
      });
    } catch (error) {
      throw error instanceof NoTurnError ? tooManyWaiting() : error;
    }
    const end = (): void => {
      clearTimeout(timer);
      response.removeListener('close', end);
      free();
    };
    const timer = setTimeout(end, LONGEST_TURN_MS);
    response.once('close', end);
    if (!response.destroyed) return;
    // No further `close` event follows.
    end();
    throw new ClientGoneError();
  }

  private turnsOf(workspaceId: string): FairTurns {
    this.recent.spend(workspaceId, 1);
    if (this.recent.isExceeded(workspaceId)) return this.busyTurns;
    this.othersSeenAt = performance.now();
    return this.turns;
  }

  private get busyPlaces(): number {
    return performance.now() - this.othersSeenAt < OTHERS_PRESENT_MS ? 1 : PER_WORKSPACE;
  }
}

const tooManyWaiting = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many requests of this workspace are waiting. Send fewer at once, and wait the number of seconds in Retry-After.',
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
