import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { ACQUIRE, type BudgetScript, LEARN } from './budget-scripts.js';
import {
  type BudgetSession,
  InProcessRequestBudget,
  isUncounted,
  type RateLimitHeaders,
  type RequestBudget,
} from './request-budget.js';
import { WaitingLine } from './waiting-line.js';

/** A process that waits asks again at least so often, and its wish holds a little longer. */
const LONGEST_NAP_MS = 500;
const WISH_HOLDS_MS = 1_000;
/** Another workspace is served first; its worker asks within this time. */
const TURN_NAP_MS = 20;
/** A window that is full but says that it ends now is asked again after this. */
const FULL_WINDOW_PAUSE_MS = 1_000;
const SAME_WINDOW_MS = 5_000;
/** While Redis is away every process spends this share of the budget on its own: safe for up to four. */
const SHARE_ALONE = 0.25;
const ALONE_FOR_MS = 5_000;

/**
 * One budget for all processes that use a client id, kept in Redis: requests a minute and the platform's own window are
 * counted together; when there is not enough for all, `high` goes before `normal` and workspaces take turns, whichever
 * process they are served by. While Redis is away each process goes on with a share of its own.
 */
export class RedisRequestBudget implements RequestBudget {
  private readonly line = new WaitingLine();
  private readonly keys: Record<'began' | 'window' | 'high' | 'normal' | 'turns', string>;
  private readonly alone: InProcessRequestBudget;
  private aloneUntil = 0;
  private inFlight = 0;
  private isServing = false;

  constructor(
    private readonly redis: Redis,
    clientId: string,
    private readonly perMinute: number,
  ) {
    const client = createHash('sha256').update(clientId).digest('hex').slice(0, 16);
    const key = (name: string): string => `wss:budget:{${client}}:${name}`;
    this.keys = {
      began: key('began'),
      window: key('window'),
      high: key('high'),
      normal: key('normal'),
      turns: key('turns'),
    };
    this.alone = new InProcessRequestBudget(Math.max(1, Math.floor(perMinute * SHARE_ALONE)));
  }

  async acquire(session: BudgetSession): Promise<void> {
    session.signal.throwIfAborted();
    await this.line.join(session, () => void this.serve());
  }

  report(headers: RateLimitHeaders | null, status: number): void {
    this.inFlight = Math.max(0, this.inFlight - 1);
    this.alone.report(headers, status);
    if (headers === null && !isUncounted(status)) return;
    const isFull = headers !== null && headers.reset === 0 && headers.remaining < 1;
    const learned =
      headers === null
        ? (['back'] as const)
        : ([
            Math.max(0, Math.floor(headers.remaining) - this.inFlight),
            isFull ? FULL_WINDOW_PAUSE_MS : Math.ceil(headers.reset * 1_000),
            SAME_WINDOW_MS,
          ] as const);
    // What is not learned now is told by the next answer.
    this.evaluate(LEARN, [this.keys.window], learned).catch(() => undefined);
  }

  /** Serves the line until it is empty. One at a time, so that the order is that of the line. */
  private async serve(): Promise<void> {
    if (this.isServing) return;
    this.isServing = true;
    try {
      while (!this.line.isEmpty) {
        const nap = await this.serveOne();
        if (nap > 0) await sleep(nap);
      }
    } finally {
      this.isServing = false;
    }
  }

  /** Milliseconds to wait before asking again; 0 when somebody was admitted. */
  private async serveOne(): Promise<number> {
    let nap = LONGEST_NAP_MS;
    for (const waiter of this.line.fronts()) {
      const wait = await this.ask(waiter.session);
      // Whoever gave up meanwhile leaves the grant unused; the window loses one request by it.
      if (wait === 0) {
        if (!this.line.has(waiter)) return 0;
        this.line.take(waiter);
        this.inFlight += 1;
        waiter.admit();
        return 0;
      }
      nap = Math.min(nap, wait);
      // No budget for one is no budget for all; only turns differ.
      if (wait !== TURN_NAP_MS) break;
    }
    return nap;
  }

  private async ask(session: BudgetSession): Promise<number> {
    const { began, window, high, normal, turns } = this.keys;
    if (performance.now() >= this.aloneUntil) {
      try {
        const answer = (await this.evaluate(
          ACQUIRE,
          [began, window, high, normal, turns],
          [this.perMinute, session.workspaceId, session.priority, randomUUID(), WISH_HOLDS_MS],
        )) as number;
        return answer < 0 ? TURN_NAP_MS : answer;
      } catch {
        this.aloneUntil = performance.now() + ALONE_FOR_MS;
      }
    }
    // Not for long at a time: Redis may be back, and somebody whose turn is earlier may have come.
    const signal = AbortSignal.any([session.signal, AbortSignal.timeout(LONGEST_NAP_MS)]);
    return this.alone.acquire({ ...session, signal }).then(
      () => 0,
      () => 1,
    );
  }

  /** Names the script by its hash; Redis is sent its text only when it does not know it. */
  private async evaluate(
    { text, sha1 }: BudgetScript,
    keys: readonly string[],
    parameters: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await this.redis.evalsha(sha1, keys.length, ...keys, ...parameters);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.redis.eval(text, keys.length, ...keys, ...parameters);
    }
  }
}
