import { Injectable } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { FairTurns, NoTurnError } from '../../common/fair-turns.js';
import { Problem } from '../../http/problem.js';
import { ClientGoneError } from '../../http/request-scope.js';

/**
 * Requests that the workspaces which send some at the same time share: enough to keep the process busy while each of
 * them waits for Postgres. Each workspace may have one beyond them, so that it does not wait for others that have many.
 */
const SHARED = 4;
/** Limit for all workspaces together. */
const RUNNING = 16;
/** After this time a request waits for something other than the processor, e.g. a slow search or its client. */
const LONGEST_TURN_MS = 50;
const WAITING = { total: 10_000, perTenant: 1_000 };
const WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = '1';

/**
 * The requests of all workspaces in this process. The workspaces that send requests at the same time share its places
 * and take turns, so one that sends hundreds of requests at once delays another one by the time of a few requests.
 */
@Injectable()
export class RequestTurns {
  private readonly turns = new FairTurns({ running: RUNNING, waiting: WAITING });
  private readonly share = (): number => Math.max(1, Math.floor(SHARED / this.turns.tenantCount));

  /**
   * Waits for the turn of a request, which ends with its response, or after 50 ms. Throws 429 `rate_limited` when too
   * many requests of the workspace wait, and {@link ClientGoneError} when the client disconnected meanwhile.
   */
  async enter(workspaceId: string, response: ServerResponse): Promise<void> {
    let free: () => void;
    try {
      free = await this.turns.take(workspaceId, { atMost: this.share, waitMs: WAIT_MS });
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
}

const tooManyWaiting = (): Problem =>
  new Problem(
    'rate_limited',
    'Too many requests of this workspace are waiting. Send fewer at once, and wait the number of seconds in Retry-After.',
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
