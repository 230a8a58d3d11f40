import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';
import { presentWorkspace } from '../common/work-scope.js';
import { hasCitus } from './secured-rows.js';
import { SEARCH_PATH } from './workspace-views.js';

/**
 * Adds no row, and makes Citus commit the transaction in two phases. It does not count what the coordinator itself
 * stores, and would commit an UPDATE on the node of a workspace first: if the coordinator ended in between, matches
 * would be marked as sent without their event.
 */
const IN_TWO_PHASES = 'INSERT INTO media_usage (workspace_id) SELECT NULL::uuid FROM generate_series(1, 0)';

/**
 * Runs work in a transaction and passes it explicitly as `tx`; no statement joins a transaction implicitly. Throws
 * {@link DependencyUnavailableError} when the connection is lost, even between two statements.
 */
@Injectable()
export class TransactionRunner implements OnModuleInit {
  private isDistributed = false;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async onModuleInit(): Promise<void> {
    this.isDistributed = await hasCitus((sql) => this.dataSource.query(sql));
  }

  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction((tx) => this.together(work, tx)).catch(rethrow);
  }

  /**
   * Like {@link TransactionRunner.run}, but all statements see the same snapshot, and writing a row that was changed
   * since then fails.
   */
  runInSnapshot<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', (tx) => this.together(work, tx)).catch(rethrow);
  }

  /**
   * Like {@link TransactionRunner.run}, for reads of posts and comments whose conditions are not leakproof: in a
   * workspace's request they read its views, so that they use indexes.
   */
  readViews<T>(read: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.run(async (tx) => {
      if (presentWorkspace() !== undefined) await tx.query(`SET LOCAL search_path = ${SEARCH_PATH}`);
      return read(tx);
    });
  }

  private async together<T>(work: (tx: EntityManager) => Promise<T>, tx: EntityManager): Promise<T> {
    const result = await work(tx);
    if (this.isDistributed) await tx.query(IN_TWO_PHASES);
    return result;
  }
}

/** TypeORM releases a lost connection at once, and then reports the next statement as a programming error. */
function rethrow(error: unknown): never {
  throw error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
    ? new DependencyUnavailableError('Postgres', { cause: error })
    : error;
}
