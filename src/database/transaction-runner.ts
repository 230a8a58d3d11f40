import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ClientBase } from 'pg';
import {
  DataSource,
  type EntityManager,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { DependencyUnavailableError } from '../common/dependency-unavailable.js';

/**
 * Runs work in a transaction and passes it explicitly as `tx`; no statement joins a transaction implicitly. Throws
 * {@link DependencyUnavailableError} when the connection is lost, also between two statements.
 */
@Injectable()
export class TransactionRunner {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  run<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.within('START TRANSACTION', work).catch(rethrow);
  }

  /** As {@link TransactionRunner.run}; all statements see one moment, and writing a row that was changed since then fails. */
  runInSnapshot<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.within('START TRANSACTION ISOLATION LEVEL REPEATABLE READ', work).catch(rethrow);
  }

  /**
   * As TypeORM's `transaction`, but the work does not wait for the transaction's beginning: its first statement is queued
   * behind it on the same connection, and is sent as soon as that is answered.
   */
  private async within<T>(begin: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as ClientBase;
      const begun = client.query(begin);
      begun.catch(() => undefined);
      // TypeORM begins a transaction of its own for entities that are saved outside of one.
      (runner as Writable<QueryRunner>).isTransactionActive = true;
      try {
        const result = await work(runner.manager);
        await begun;
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      } finally {
        (runner as Writable<QueryRunner>).isTransactionActive = false;
      }
    } finally {
      await runner.release();
    }
  }
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** TypeORM gives up a connection as soon as it is lost, and then refuses the next statement as a mistake of its caller. */
function rethrow(error: unknown): never {
  throw error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError
    ? new DependencyUnavailableError('Postgres', { cause: error })
    : error;
}
