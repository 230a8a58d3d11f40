import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { QUEUE_PREFIX } from './queues.js';

/** Connection settings of all queues. */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => ({ url: environment.REDIS_URL, prefix: QUEUE_PREFIX }),
    }),
  ],
  exports: [BullModule],
})
export class QueueModule {}
