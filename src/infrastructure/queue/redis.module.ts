import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';

/** Injects the plain Redis connection. */
export const REDIS = Symbol('REDIS');

/** A command fails when Redis has not answered within this time. */
const COMMAND_TIMEOUT_MS = 2_000;

@Injectable()
class RedisCloser implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

/** The plain Redis connection for rate limits, budgets and probes. Commands fail fast while Redis is unavailable. */
@Global()
@Module({
  providers: [
    {
      provide: REDIS,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => {
        const redis = new Redis(environment.REDIS_URL!, {
          commandTimeout: COMMAND_TIMEOUT_MS,
          maxRetriesPerRequest: 1,
          enableOfflineQueue: true,
        });
        // Every command reports its own failure; without a listener a connection error would end the process.
        redis.on('error', () => undefined);
        return redis;
      },
    },
    RedisCloser,
  ],
  exports: [REDIS],
})
export class RedisModule {}
