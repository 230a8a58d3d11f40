import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import {
  DataSource,
  type EntityManager,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';

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
}

/** TypeORM releases a lost connection at once, and then reports the next statement as a programming error. */
function rethrow(error: unknown): never {
  throw error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
    ? new DependencyUnavailableError('Postgres', { cause: error })
    : error;
}
