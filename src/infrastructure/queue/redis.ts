import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Environment } from '../../config/environment.js';

/** Injects the plain Redis connection for rate limits, budgets and probes. */
export const REDIS = Symbol('REDIS');

/** A command fails when Redis has not answered within this time. */
const COMMAND_TIMEOUT_MS = 2_000;

/** Opens the plain connection. Commands fail fast while Redis is unavailable. */
export function openRedis(environment: Environment): Redis {
  const redis = new Redis(environment.REDIS_URL!, {
    commandTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: true,
  });
  // Every command reports its own failure; without a listener a connection error would end the process.
  redis.on('error', () => undefined);
  return redis;
}

/** Closes the plain connection when the process stops. */
@Injectable()
export class RedisCloser implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
