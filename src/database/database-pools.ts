import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { acrossWorkspaces } from '../common/work-scope.js';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { type PostgresPool, ReadingPool } from './postgres-driver.js';

const CONNECT_TIMEOUT_MS = 5_000;
const CANCEL_EVERY_MS = 1_000;
/** With a type, because Citus adds a function of the same name for its own numbers. */
const CANCEL = 'SELECT pg_cancel_backend($1::int)';

/** Connections of a pool that are in use, and requests that wait for one. */
export interface PoolUsage {
  pool: string;
  inUse: number;
  waiting: number;
}

/**
 * The pools of this process by name. `control` is TypeORM's and serves authentication, health checks and all small
 * statements; work that may use connections for a long time creates its own pool. Created pools are closed at shutdown.
 */
@Injectable()
export class DatabasePools implements OnApplicationShutdown {
  private readonly logger = new Logger(DatabasePools.name);
  private readonly created = new Map<string, PostgresPool>();
  private onWaited: (pool: string, seconds: number) => void = () => undefined;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** A pool whose connections are named `wss-<name>` in `pg_stat_activity`. */
  create(name: string, options: pg.PoolConfig): pg.Pool {
    const pool = new ReadingPool({
      connectionString: this.environment.DATABASE_URL,
      requestUrl: this.environment.DATABASE_REQUEST_URL,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: `wss-${name}`,
      ...options,
    });
    // Lost connections are replaced on the next use; their queries report the failure.
    pool.on('error', () => undefined);
    pool.onWaited = (seconds) => this.onWaited(name, seconds);
    this.created.set(name, pool);
    return pool;
  }

  /**
   * Yields the items that `read` yields, using one connection of the pool that is reserved until the end. When `signal`
   * aborts, the running statement is cancelled; before the first statement the signal's reason is thrown. The connection
   * is closed instead of reused when `read` fails, when its consumer returns early, or when a cancel was sent.
   */
  async *reading<Item>(
    pool: pg.Pool,
    signal: AbortSignal,
    read: (client: pg.PoolClient) => AsyncGenerator<Item, void, undefined>,
  ): AsyncGenerator<Item, void, undefined> {
    const client = await pool.connect();
    const stopCancelling = this.cancelAfter(signal, client);
    let isComplete = false;
    try {
      signal.throwIfAborted();
      yield* read(client);
      isComplete = true;
    } finally {
      stopCancelling();
      // A cancel that is still in transit would stop another reader's next statement on the connection.
      client.release(!isComplete || signal.aborted);
    }
  }

  /**
   * After `signal` aborts, cancels the statements of a connection repeatedly until the returned function is called. One
   * cancel is not enough: a statement that is still in transit when it arrives would run to its end. Closing the
   * connection would not stop the statement either.
   */
  cancelAfter(signal: AbortSignal, client: pg.PoolClient): () => void {
    const { processID } = client as { processID?: number };
    // The workspace role may not signal the service's own connections.
    const cancel = () =>
      void acrossWorkspaces(() => this.dataSource.query(CANCEL, [processID])).catch((error: unknown) =>
        this.logger.warn({ err: error }, 'statement not cancelled'),
      );
    let timer: NodeJS.Timeout | undefined;
    const begin = () => {
      cancel();
      timer = setInterval(cancel, CANCEL_EVERY_MS);
    };
    signal.addEventListener('abort', begin);
    return () => {
      signal.removeEventListener('abort', begin);
      clearInterval(timer);
    };
  }

  /** Calls `observe` with the number of seconds that each request for a connection of any pool waited. */
  observeWaits(observe: (pool: string, seconds: number) => void): void {
    this.onWaited = observe;
    this.control.onWaited = (seconds) => observe('control', seconds);
  }

  /** The current use of every pool. */
  usage(): PoolUsage[] {
    return [['control', this.control] as const, ...this.created].map(([name, pool]) => ({
      pool: name,
      ...pool.usage(),
    }));
  }

  private get control(): PostgresPool {
    return (this.dataSource.driver as PostgresDriver).master as PostgresPool;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.created.values()].map((pool) => pool.end()));
  }
}
