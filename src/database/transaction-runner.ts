import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';
import { presentWorkspace } from '../common/work-scope.js';
import { SEARCH_PATH } from './workspace-views.js';

/**
 * Runs work in a transaction and passes it explicitly as `tx`; no statement joins a transaction implicitly. Throws
 * {@link DependencyUnavailableError} when the connection is lost, even between two statements.
 */
@Injectable()
export class TransactionRunner {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work).catch(rethrow);
  }

  /**
   * Like {@link TransactionRunner.run}, but all statements see the same snapshot, and writing a row that was changed
   * since then fails.
   */
  runInSnapshot<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction('REPEATABLE READ', work).catch(rethrow);
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
}

/** TypeORM releases a lost connection at once, and then reports the next statement as a programming error. */
function rethrow(error: unknown): never {
  throw error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
    ? new DependencyUnavailableError('Postgres', { cause: error })
    : error;
}
