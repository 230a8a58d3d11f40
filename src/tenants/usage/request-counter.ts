import { Inject, Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { DependencyUnavailableError } from '../../common/dependency-unavailable.js';
import { withTimeout } from '../../common/timeout.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { REDIS } from '../../infrastructure/queue/redis.js';

const BUCKET_MS = 10_000;
const BUCKETS = 6;
const FLUSH_MS = 1_000;
const TIMEOUT_MS = 800;
/** A workspace may send as many requests per minute as this number of keys. */
const KEYS_WORTH = 10;

/**
 * Requests per workspace in the last minute, over all API processes. Each process adds its counts to Redis once a
 * second, in buckets of 10 s, so that counting does not slow requests down; counts that Redis does not accept are
 * dropped. In the same step it learns which of its workspaces have sent too many with all of their keys.
 */
@Injectable()
export class RequestCounter {
  private counts = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  /** Requests per minute of a workspace with all of its keys; 0 for no limit. */
  readonly limit: number;
  /** When workspaces at their limit may send requests again, in milliseconds since 1970. */
  private readonly fullUntil = new Map<string, number>();

  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(ENVIRONMENT) { API_RATE_LIMIT_PER_MINUTE }: Pick<Environment, 'API_RATE_LIMIT_PER_MINUTE'>,
  ) {
    this.limit = KEYS_WORTH * API_RATE_LIMIT_PER_MINUTE;
  }

  /** Seconds until a workspace may send requests again; 0 for one below its limit, as known a second ago. */
  secondsToWait(workspaceId: string): number {
    const until = this.fullUntil.get(workspaceId);
    return until === undefined ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1_000));
  }

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
        .pexpire(keyOf(workspaceId, now), BUCKET_MS * (BUCKETS + 2))
        .mget(Array.from({ length: BUCKETS }, (_, age) => keyOf(workspaceId, now - age)));
    const answers = (await pipeline.exec()) ?? [];
    if (this.limit === 0) return;
    for (const [workspaceId, until] of this.fullUntil)
      if (until <= Date.now()) this.fullUntil.delete(workspaceId);
    [...counts.keys()].forEach((workspaceId, index) => {
      const buckets = (answers[3 * index + 2]?.[1] ?? []) as (string | null)[];
      const until = this.endOfLimit(buckets.map(Number), now);
      if (until > Date.now()) this.fullUntil.set(workspaceId, until);
    });
  }

  /** When a minute with these buckets, newest first, has room again: as soon as enough old ones have left it. */
  private endOfLimit(buckets: readonly number[], now: number): number {
    let sum = 0;
    for (const [age, count] of buckets.entries()) {
      sum += count;
      if (sum >= this.limit) return (now - age + BUCKETS) * BUCKET_MS;
    }
    return 0;
  }
}

function bucketNow(): number {
  return Math.floor(Date.now() / BUCKET_MS);
}

function keyOf(workspaceId: string, bucket: number): string {
  return `wss:usage:requests:${workspaceId}:${bucket}`;
}
