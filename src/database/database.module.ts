import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { dataSourceOptions } from './data-source.js';
import { RetryingTransactions } from './retrying-transactions.js';
import { loadEntities } from './entities.js';
import { TransactionRunner } from './transaction-runner.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [ENVIRONMENT],
      useFactory: async (environment: Environment) => ({
        ...dataSourceOptions(environment.DATABASE_URL!, {
          applicationName: `wss-${environment.ROLES.join('-')}`,
        }),
        entities: await loadEntities(),
        migrations: [],
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [TransactionRunner, RetryingTransactions],
  exports: [TransactionRunner, RetryingTransactions],
})
export class DatabaseModule {}
