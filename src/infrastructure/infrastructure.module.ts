import { BullModule } from '@nestjs/bull';
import { Global, Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { OutboundHttpClient } from './outbound-http/outbound-http-client.js';
import { Pruner } from './pruning/pruner.js';
import { QUEUE_PREFIX } from './queue/queues.js';
import { REDIS, RedisCloser, openRedis } from './queue/redis.js';
import { RequestLimits } from './rate-limit/request-limits.js';
import { RequestTurns } from './rate-limit/request-turns.js';
import { ClaimFailures } from './readiness/claim-failures.js';
import { Draining } from './readiness/draining.js';
import { Tracing, startTracing } from './tracing/tracing.js';

/** Redis, outgoing requests, limits of requests, deletion of old rows, tracing and readiness, in every process of the service. */
@Global()
@Module({
  imports: [
    BullModule.forRootAsync({
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => ({ url: environment.REDIS_URL, prefix: QUEUE_PREFIX }),
    }),
  ],
  providers: [
    { provide: REDIS, inject: [ENVIRONMENT], useFactory: openRedis },
    RedisCloser,
    { provide: Tracing, inject: [ENVIRONMENT], useFactory: startTracing },
    {
      provide: OutboundHttpClient,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => new OutboundHttpClient(environment.OUTBOUND_ALLOWED_CIDRS),
    },
    RequestLimits,
    RequestTurns,
    Pruner,
    Draining,
    ClaimFailures,
  ],
  exports: [
    BullModule,
    REDIS,
    Tracing,
    OutboundHttpClient,
    RequestLimits,
    RequestTurns,
    Pruner,
    Draining,
    ClaimFailures,
  ],
})
export class InfrastructureModule {}
