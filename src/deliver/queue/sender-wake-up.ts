import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { REDIS } from '../../infrastructure/queue/redis.js';

const CHANNEL = 'wss:deliveries-due';

/**
 * Notifies the delivery senders of all processes that deliveries are due. Messages may be lost, so senders also poll
 * Postgres.
 */
@Injectable()
export class SenderWakeUp implements OnApplicationShutdown {
  private readonly logger = new Logger(SenderWakeUp.name);
  private subscriber: Redis | null = null;

  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  /** Publishes a wake-up without waiting for Redis. */
  send(): void {
    this.redis
      .publish(CHANNEL, '')
      .catch((error: unknown) => this.logger.warn({ err: error }, 'sender wake-up not published'));
  }

  /** Calls `wake` at every wake-up; recovers after Redis was unreachable. */
  listen(wake: () => void): void {
    // A subscribed connection cannot run other commands. The subscription waits until Redis is reachable.
    this.subscriber = this.redis.duplicate({ maxRetriesPerRequest: null, commandTimeout: undefined });
    this.subscriber.on('error', () => undefined);
    this.subscriber.on('message', wake);
    this.subscriber
      .subscribe(CHANNEL)
      .catch((error: unknown) => this.logger.warn({ err: error }, 'sender wake-ups not subscribed'));
  }

  onApplicationShutdown(): void {
    this.subscriber?.disconnect();
  }
}
