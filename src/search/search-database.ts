import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { FairTurns, NoTurnError } from '../common/fair-turns.js';
import { RefilledBudget } from '../common/refilled-budget.js';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { readBinary } from '../database/binary-rows.js';
import { destroyedWhenSilent } from '../database/connections.js';
import { SILENCE_MARGIN_MS } from '../database/data-source.js';
import { DatabasePools } from '../database/database-pools.js';
import { RowSecurity } from '../database/row-security.js';
import { SEARCH_SETTINGS } from '../database/search-settings.js';
import type { Sql } from '../database/sql.js';
import { clientSignal } from '../http/request/request-scope.js';
import { Problem } from '../http/problems/problem.js';
import { ConcurrencyQuotas } from '../tenants/usage/concurrency-quotas.js';

/** Runs one statement of a search and returns its rows. */
export interface RunSearch {
  <Row extends object>(sql: Sql): Promise<Row[]>;
  /** As `readBinary`. */
  inBinary(sql: Sql): Promise<Buffer[][]>;
  /** A signal that aborts when the client disconnects; ends long evaluations between statements. */
  client?: () => AbortSignal | undefined;
}

/**
 * Runs the statements of a search on a connection. `assertTime` is called before each and throws when the search must
 * end.
 */
export const runOn = (client: pg.ClientBase, assertTime: () => void = () => undefined): RunSearch =>
  Object.assign(
    async <Row extends object>({ text, parameters }: Sql) => {
      assertTime();
      return (await client.query<Row>(text, parameters)).rows;
    },
    {
      inBinary: async (sql: Sql) => {
        assertTime();
        return readBinary(client, sql);
      },
    },
  );

/** Does `work`, whose statements see the same snapshot, in a transaction that only reads. */
export async function inSnapshot<T>(run: RunSearch, work: () => Promise<T>): Promise<T> {
  await run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', parameters: [] });
  try {
    const result = await work();
    await run({ text: 'COMMIT', parameters: [] });
    return result;
  } catch (error) {
    // If the rollback fails, the connection was lost and its pool drops it.
    await run({ text: 'ROLLBACK', parameters: [] }).catch(() => undefined);
    throw error;
  }
}

const SETTINGS = SEARCH_SETTINGS.map(([name, value]) => `-c ${name}=${value}`).join(' ');

/**
 * Milliseconds of search time that a workspace may use before its searches run one at a time. After 12 s without a
 * search it is within its budget again.
 */
const BUDGET_MS = { burst: 3_000, refillPerSecond: 250, maxExcess: 3_000 };
/** Milliseconds of each search that are not counted: searches this short do not delay those of other workspaces. */
const FREE_MS = 20;
/** Maximum number of searches waiting for a connection. */
const WAITERS = { total: 1_000, perTenant: 100 };
const REMEDY = 'Narrow it, for example with forum, author or fewer words.';
const RETRY_AFTER_SECONDS = '5';
const QUERY_CANCELED = '57014';

/**
 * Runs searches on a connection pool of their own. A workspace uses at most half of the connections, and only one while
 * it exceeds its {@link BUDGET_MS}. Waiting workspaces take turns, and every search ends within `SEARCH_TIMEOUT_MS`.
 * Expensive searches therefore delay neither other workspaces nor other kinds of requests.
 */
@Injectable()
export class SearchDatabase {
  private readonly pool: pg.Pool;
  private readonly turns: FairTurns;
  private readonly atMostPerWorkspace: number;
  private readonly timeoutMs: number;
  private readonly budget = new RefilledBudget(BUDGET_MS);

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly pools: DatabasePools,
    private readonly rowSecurity: RowSecurity,
    private readonly concurrency: ConcurrencyQuotas,
  ) {
    const size = environment.DATABASE_POOL_SEARCH;
    this.timeoutMs = environment.SEARCH_TIMEOUT_MS;
    this.atMostPerWorkspace = Math.ceil(size / 2);
    this.turns = new FairTurns({ running: () => size, waiting: WAITERS });
    this.pool = pools.create('search', {
      ...destroyedWhenSilent(this.timeoutMs + SILENCE_MARGIN_MS),
      max: size,
      statement_timeout: this.timeoutMs,
      options: SETTINGS,
    });
  }

  /**
   * Runs the statements of one search, one after another on one connection. They see only rows of the workspace. Throws
   * 503 `search_timeout`, with `remedy`, when they do not end in time, and 429 `too_many_concurrent_requests` beyond the
   * workspace's quota of concurrent searches.
   */
  async run<T>(workspaceId: string, search: (run: RunSearch) => Promise<T>, remedy = REMEDY): Promise<T> {
    const deadline = performance.now() + this.timeoutMs;
    const leave = await this.concurrency.enter(workspaceId, 'concurrent_searches');
    try {
      const free = await this.turns.take(workspaceId, {
        atMost: () => (this.budget.isExceeded(workspaceId) ? 1 : this.atMostPerWorkspace),
        waitMs: deadline - performance.now(),
      });
      const startedAt = performance.now();
      try {
        return await this.rowSecurity.within(workspaceId, () => this.runUntil(deadline, search, remedy));
      } finally {
        this.budget.spend(workspaceId, Math.max(0, performance.now() - startedAt - FREE_MS));
        free();
      }
    } catch (error) {
      throw error instanceof NoTurnError ? this.timeout(remedy) : error;
    } finally {
      leave();
    }
  }

  /** Id of the workspace with the most posts and comments in segments; null when there are no segments. */
  async largestIndex(): Promise<string | null> {
    const { rows } = await this.pool.query<{ workspaceId: string }>(
      `SELECT workspace_id AS "workspaceId" FROM search_segments
       GROUP BY workspace_id ORDER BY sum(rows) DESC LIMIT 1`,
    );
    return rows[0]?.workspaceId ?? null;
  }

  private async runUntil<T>(
    deadline: number,
    search: (run: RunSearch) => Promise<T>,
    remedy: string,
  ): Promise<T> {
    const client = await this.pool.connect();
    const ended = new AbortController();
    const stopCancelling = this.pools.cancelAfter(ended.signal, client);
    const end = (): void => ended.abort(this.timeout(remedy));
    const timer = setTimeout(end, deadline - performance.now());
    const assertTime = (): void => {
      // A busy process may learn that a statement was cancelled before its own timer fires.
      if (performance.now() >= deadline) end();
      ended.signal.throwIfAborted();
    };
    try {
      return await search(Object.assign(runOn(client, assertTime), { client: clientSignal }));
    } catch (error) {
      throw (error as { code?: unknown }).code === QUERY_CANCELED ? this.timeout(remedy) : error;
    } finally {
      clearTimeout(timer);
      stopCancelling();
      // A cancellation may arrive after its statement has ended, so the connection cannot be reused.
      client.release(ended.signal.aborted);
    }
  }

  private timeout(remedy: string): Problem {
    return new Problem('search_timeout', `The search was stopped after ${this.timeoutMs} ms. ${remedy}`, {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    });
  }
}
