import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';

/** The connection that every queue shares its settings with. */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => ({ url: environment.REDIS_URL, prefix: 'wss' }),
    }),
  ],
  exports: [BullModule],
})
export class QueueModule {}
