import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { getMetadataArgsStorage } from 'typeorm';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { dataSourceOptions } from './data-source.js';
import { TransactionRunner } from './transaction-runner.js';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => ({
        ...dataSourceOptions(environment.DATABASE_URL!, {
          applicationName: `wss-${environment.ROLES.join('-')}`,
        }),
        // Every entity is loaded by now. Found by file name they would be imported once more, and Node.js 20 takes an
        // import that TypeORM evaluates for one of another test file in the same process.
        entities: getMetadataArgsStorage().tables.map(({ target }) => target),
        migrations: [],
        retryAttempts: 5,
        retryDelay: 1_000,
      }),
    }),
  ],
  providers: [TransactionRunner],
  exports: [TransactionRunner],
})
export class DatabaseModule {}
