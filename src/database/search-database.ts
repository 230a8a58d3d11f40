import { Inject, Injectable } from '@nestjs/common';
import pg from 'pg';
import { ConcurrencyLimiter } from '../common/concurrency-limiter.js';
import { FairTurns, NoTurnError } from '../common/fair-turns.js';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { destroyedWhenSilent } from './connections.js';
import { SILENCE_MARGIN_MS } from './data-source.js';
import { DatabasePools } from './database-pools.js';
import type { Sql } from './sql.js';

/** A search did not end within its time limit and was stopped. */
export class SearchTimeoutError extends Error {
  constructor(readonly timeoutMs: number) {
    super(`search stopped after ${timeoutMs} ms`);
  }
}

/** Runs one statement of a search and returns its rows. */
export type RunSearch = <Row extends object>(sql: Sql) => Promise<Row[]>;

/** Most searches that wait for a connection, of all workspaces together. */
const MAX_WAITERS = 1_000;
const QUERY_CANCELED = '57014';

/**
 * Runs searches on connections of their own. One workspace uses at most half of them, waiting workspaces take turns,
 * and every search ends within `SEARCH_TIMEOUT_MS`, so that a dear search delays neither other workspaces nor requests
 * that are not searches.
 */
@Injectable()
export class SearchDatabase {
  /** Searches of each workspace that run or wait for a connection. */
  readonly quota: ConcurrencyLimiter;
  private readonly pool: pg.Pool;
  private readonly turns: FairTurns;
  private readonly timeoutMs: number;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    private readonly pools: DatabasePools,
  ) {
    const size = environment.DATABASE_POOL_SEARCH;
    this.timeoutMs = environment.SEARCH_TIMEOUT_MS;
    this.quota = new ConcurrencyLimiter('concurrent_searches', environment.QUOTA_CONCURRENT_SEARCHES);
    this.turns = new FairTurns({ total: size, perTenant: Math.ceil(size / 2), waiting: MAX_WAITERS });
    this.pool = pools.create('search', {
      ...destroyedWhenSilent(this.timeoutMs + SILENCE_MARGIN_MS),
      max: size,
      statement_timeout: this.timeoutMs,
    });
  }

  /**
   * Runs the statements of one search, one after another on one connection. Throws {@link SearchTimeoutError} when they
   * do not end in time, and TooManyConcurrentRequestsError beyond the workspace's quota.
   */
  async run<T>(workspaceId: string, search: (run: RunSearch) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.timeoutMs;
    const leave = await this.quota.enter(workspaceId);
    try {
      const free = await this.turns.take(workspaceId, deadline - performance.now());
      try {
        return await this.runUntil(deadline, search);
      } finally {
        free();
      }
    } catch (error) {
      throw error instanceof NoTurnError ? new SearchTimeoutError(this.timeoutMs) : error;
    } finally {
      leave();
    }
  }

  private async runUntil<T>(deadline: number, search: (run: RunSearch) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let isCancelled = false;
    const timer = setTimeout(() => {
      isCancelled = true;
      void this.pools.cancel(client);
    }, deadline - performance.now());
    try {
      return await search(
        async <Row extends object>({ text, parameters }: Sql) =>
          (await client.query<Row>(text, parameters)).rows,
      );
    } catch (error) {
      throw (error as { code?: unknown }).code === QUERY_CANCELED
        ? new SearchTimeoutError(this.timeoutMs)
        : error;
    } finally {
      clearTimeout(timer);
      // A cancellation may arrive after the statement that it was meant for.
      client.release(isCancelled);
    }
  }
}
