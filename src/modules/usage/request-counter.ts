import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { DependencyUnavailableError } from '../../common/dependency-unavailable.js';
import { withTimeout } from '../../common/timeout.js';
import { REDIS } from '../../infrastructure/queue/redis.module.js';

const BUCKET_MS = 10_000;
const BUCKETS = 6;
const FLUSH_MS = 1_000;
const TIMEOUT_MS = 800;

/**
 * Requests per workspace in the last minute, over all API processes. Each process adds its counts to Redis once a
 * second, in buckets of 10 s, so that counting does not slow requests down; counts that Redis does not accept are
 * dropped.
 */
@Injectable()
export class RequestCounter {
  private counts = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(@Inject(REDIS) private readonly redis: Redis) {}

  /** Counts a request. */
  count(workspaceId: string): void {
    this.counts.set(workspaceId, (this.counts.get(workspaceId) ?? 0) + 1);
    this.timer ??= setTimeout(() => void this.flush().catch(() => undefined), FLUSH_MS).unref();
  }

  /** Requests in the last 60 to 70 s. Throws {@link DependencyUnavailableError} when Redis does not answer. */
  async lastMinute(workspaceId: string): Promise<number> {
    const unavailable = () => new DependencyUnavailableError('Redis');
    const read = async () => {
      await this.flush();
      const now = bucketNow();
      return this.redis.mget(Array.from({ length: BUCKETS + 1 }, (_, age) => keyOf(workspaceId, now - age)));
    };
    const buckets = await withTimeout(read(), TIMEOUT_MS, unavailable).catch((error: unknown) => {
      throw new DependencyUnavailableError('Redis', { cause: error });
    });
    return buckets.reduce((sum, count) => sum + Number(count ?? 0), 0);
  }

  private async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    const counts = this.counts;
    this.counts = new Map();
    const now = bucketNow();
    const pipeline = this.redis.pipeline();
    for (const [workspaceId, count] of counts)
      pipeline
        .incrby(keyOf(workspaceId, now), count)
        .pexpire(keyOf(workspaceId, now), BUCKET_MS * (BUCKETS + 2));
    await pipeline.exec();
  }
}

function bucketNow(): number {
  return Math.floor(Date.now() / BUCKET_MS);
}

function keyOf(workspaceId: string, bucket: number): string {
  return `wss:usage:requests:${workspaceId}:${bucket}`;
}
