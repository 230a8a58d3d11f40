import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { DatabasePools } from './database-pools.js';
import { dataSourceOptions } from './data-source.js';
import { RowSecurity } from './row-security.js';
import { RetryingTransactions } from './retrying-transactions.js';
import { loadEntities } from './entities.js';
import { TransactionRunner } from './transaction-runner.js';
import { DatabaseClock, PostgresClock } from './database-clock.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [ENVIRONMENT],
      useFactory: async (environment: Environment) => ({
        ...dataSourceOptions(environment.DATABASE_URL!, {
          applicationName: `wss-${environment.ROLES.join('-')}`,
          requestUrl: environment.DATABASE_REQUEST_URL,
          poolSize: environment.DATABASE_POOL_CONTROL,
          statementTimeoutMs: environment.DATABASE_STATEMENT_TIMEOUT_MS,
        }),
        entities: await loadEntities(),
        migrations: [],
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [
    TransactionRunner,
    RetryingTransactions,
    DatabasePools,
    RowSecurity,
    { provide: DatabaseClock, useClass: PostgresClock },
  ],
  exports: [TransactionRunner, RetryingTransactions, DatabasePools, RowSecurity, DatabaseClock],
})
export class DatabaseModule {}
