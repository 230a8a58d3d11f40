import pg from 'pg';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';
import { presentWorkspace } from '../common/work-scope.js';
import {
  type LocalSettings,
  type QueryCallback,
  setWorkspace,
  startTransaction,
  WorkspaceQuery,
} from './workspace-query.js';
import { SEARCH_PATH } from './workspace-views.js';

/** The part of pg's client that is overridden here, without its many overloads. */
const Client = pg.Client as unknown as new (config: unknown) => {
  query(...query: unknown[]): unknown;
  getTransactionStatus(): 'I' | 'T' | 'E' | null;
  end(): Promise<void>;
};

/**
 * The connection lacks a statement that it has parsed: a proxy has replaced it by another one, or discarded all
 * statements.
 */
const STATEMENT_LOST = '26000';

/** Statements that start a transaction. */
const START = /^(?:BEGIN|START TRANSACTION)\b/;

/**
 * A client whose queries fail with {@link DependencyUnavailableError} when the connection, not the server, rejected
 * them.
 */
class PostgresClient extends Client {
  override query(...query: unknown[]): unknown {
    const [statement] = query;
    return isQueryObject(statement)
      ? super.query(...query)
      : this.answered(query, (done) => super.query(statement, valuesOf(query), done));
  }

  /**
   * Issues a query with typed failures. Without a callback of the caller it returns one promise where pg returns a
   * chain of three, which every statement of every request would pay for.
   */
  protected answered(query: readonly unknown[], issue: (done: QueryCallback) => unknown): unknown {
    const callback = query.find((given) => typeof given === 'function') as QueryCallback | undefined;
    if (callback !== undefined)
      return issue((error, result) => callback(error && this.failureOf(error), result));
    return new Promise((resolve, reject) =>
      issue((error, result) => (error ? reject(this.failureOf(error)) : resolve(result))),
    );
  }

  /**
   * The failure with its type. A connection that has lost a statement is closed, since all its later uses would fail.
   */
  private failureOf(error: Error): Error {
    if ((error as { code?: unknown }).code !== STATEMENT_LOST) return typedFailure(error);
    void this.end().catch(() => undefined);
    return new DependencyUnavailableError('Postgres', { cause: error });
  }
}

/**
 * A client whose statements see and change only rows of the current workspace, if there is one. The workspace is read
 * when the statement is issued; within a transaction it is the one at the start of the transaction.
 */
class WorkspaceClient extends PostgresClient {
  protected readonly settings: LocalSettings = {};
  private hasParsed = false;

  override query(...query: unknown[]): unknown {
    const workspaceId = presentWorkspace();
    const status = this.getTransactionStatus();
    if (workspaceId === undefined || status === 'T' || status === 'E') return super.query(...query);
    const [statement] = query;
    if (typeof statement === 'string' && START.test(statement))
      return super.query(startTransaction(statement, workspaceId, this.settings));
    if (isQueryObject(statement))
      throw new TypeError('A query object needs a transaction to run for a workspace');
    if (!this.hasParsed)
      void super.query({ ...setWorkspace(this.settings), values: [workspaceId] }, () => undefined);
    this.hasParsed = true;
    return this.answered(query, (done) =>
      super.query(new WorkspaceQuery(workspaceId, statement, valuesOf(query), done)),
    );
  }
}

/** Whether it is a stream, a cursor or another object that sends itself and reports its own errors. */
const isQueryObject = (statement: unknown): boolean =>
  typeof (statement as { submit?: unknown }).submit === 'function';

const valuesOf = ([, values]: readonly unknown[]): unknown[] | undefined =>
  Array.isArray(values) ? values : undefined;

/** A client whose statements for a workspace read posts and comments through its views. */
class ReadingClient extends WorkspaceClient {
  protected override readonly settings = { search_path: SEARCH_PATH };
}

/** Options of a pool; with `requestUrl`, statements of workspaces use connections of that login. */
export interface PostgresPoolConfig extends pg.PoolConfig {
  requestUrl?: string | undefined;
}

/**
 * A pg pool that gives types to failures from lost connections, timeouts and exhausted pools. pg reports them as plain
 * errors that differ only in their message. Streams, cursors and other query objects report their errors unchanged.
 * Code that belongs to a workspace gets a connection of the login for requests, if there is one, up to the same number:
 * that login cannot become the owner of the tables.
 */
export class PostgresPool extends pg.Pool {
  /** Called with the number of seconds that a request waited for its connection. */
  onWaited: (seconds: number) => void = () => undefined;
  /** The connections of the login for requests. */
  private readonly requests: pg.Pool | null;

  constructor({ requestUrl, ...config }: PostgresPoolConfig) {
    const options = { Client: PostgresClient, ...config } as pg.PoolConfig;
    super(options);
    this.requests =
      requestUrl === undefined ? null : new pg.Pool({ ...options, connectionString: requestUrl });
    // Lost connections are replaced on the next use; their queries report the failure.
    this.requests?.on('error', () => undefined);
    // The query reports a connection lost in use; an error event without a listener would end the process.
    for (const pool of [this, this.requests])
      pool?.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Connections in use, and requests that wait for one. */
  usage(): { inUse: number; waiting: number } {
    const pools = [this, ...(this.requests === null ? [] : [this.requests])];
    const sum = (count: (pool: pg.Pool) => number): number =>
      pools.reduce((total, pool) => total + count(pool), 0);
    return {
      inUse: sum(({ totalCount, idleCount }) => totalCount - idleCount),
      waiting: sum(({ waitingCount }) => waitingCount),
    };
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = Promise.all([super.end(), this.requests?.end()]).then(() => undefined);
    if (callback === undefined) return ended;
    void ended.then(callback, callback);
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    // One promise instead of six, because requests wait for a connection once or twice each.
    if (callback === undefined)
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (error ? reject(error) : resolve(client!))),
      );
    const startedAt = performance.now();
    const connected: ConnectCallback = (error, client, release) => {
      this.onWaited((performance.now() - startedAt) / 1_000);
      callback(error && typedFailure(error), client, release);
    };
    if (this.requests === null || presentWorkspace() === undefined) super.connect(connected);
    else this.requests.connect(connected);
  }
}

type ConnectCallback = Parameters<pg.Pool['connect']>[0];

/** A pool for statements that read many posts and comments and change nothing. */
export class ReadingPool extends PostgresPool {
  constructor(config: PostgresPoolConfig) {
    super({ Client: ReadingClient, ...config } as PostgresPoolConfig);
  }
}

/** The pool of TypeORM. */
class ControlPool extends PostgresPool {
  constructor(config: PostgresPoolConfig) {
    super({ Client: WorkspaceClient, ...config } as PostgresPoolConfig);
  }
}

/** The pg module for TypeORM's option `driver`. */
export const postgresDriver = { ...pg, Pool: ControlPool };

/**
 * Gives a query failure its type: {@link DependencyUnavailableError} when the connection was lost, did not answer in
 * time or could not be opened in time. Errors of the server are `DatabaseError`, those of sockets have a code, and
 * wrong arguments are TypeErrors, so every other error is pg's own.
 */
export function typedFailure(error: Error): Error {
  return error instanceof pg.DatabaseError || 'code' in error || error instanceof TypeError
    ? error
    : new DependencyUnavailableError('Postgres', { cause: error });
}
