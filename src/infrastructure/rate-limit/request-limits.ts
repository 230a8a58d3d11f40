import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../../http/problems/problem.js';
import { DependencyUnavailableError } from '../../common/dependency-unavailable.js';
import { withTimeout } from '../../common/timeout.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { REDIS } from '../queue/redis.js';
import { RefusalDelay } from './refusal-delay.js';

const WINDOW_SECONDS = 60;
/** Failed authentications per address and minute: more than typing errors cause, too few to guess keys. */
export const FAILURES_PER_WINDOW = 600;
/** If Redis does not answer within this time, the request is refused. */
const ANSWER_WITHIN_MS = 800;

/** The state of a key's limit. */
export interface Allowance {
  limit: number;
  remaining: number;
  /** Seconds until the full limit is available again. */
  resetSeconds: number;
}

/** Why an authentication failed: a problem, or a code and a status of another response. */
export type AuthenticationFailure = Pick<Problem, 'status'> & { code: string };

/** An authentication that failed. */
export interface FailedAuthentication {
  address: string;
  problem: AuthenticationFailure;
  /** Number of failures of the address in this minute, with this one. */
  count: number;
}

/** A counted request; null when keys have no limit. */
export type CountedRequest = { allowance: Allowance; exceeded: boolean } | null;

/**
 * Counters in Redis, shared by all API processes: requests by key, failed authentications by address. While Redis is
 * unavailable requests get 503. Counting per process instead would multiply the limit by the number of processes.
 */
@Injectable()
export class RequestLimits {
  private readonly requests: RateLimiterRedis | null;
  private readonly failures: RateLimiterRedis;
  private readonly delay = new RefusalDelay();
  /** Called with each failed authentication of an address that has not failed too often. It must not throw. */
  onFailure: (failure: FailedAuthentication) => Promise<void> = () => Promise.resolve();

  constructor(@Inject(REDIS) redis: Redis, @Inject(ENVIRONMENT) environment: Environment) {
    const limit = environment.API_RATE_LIMIT_PER_MINUTE;
    this.requests = limit === 0 ? null : limiter(redis, 'wss:limit:key', limit);
    this.failures = limiter(redis, 'wss:limit:failure', FAILURES_PER_WINDOW);
  }

  /** Counts a request of a key. */
  countRequest(keyId: string): Promise<CountedRequest> {
    return this.requests === null ? Promise.resolve(null) : consume(this.requests, keyId);
  }

  /**
   * Counts a request of a key, unless it is `counting` already, and sets the headers `RateLimit`, `RateLimit-Policy`
   * and the older `RateLimit-*`. Throws 429 beyond
   * the limit; `who` is the subject of its message.
   */
  async enforce(
    keyId: string,
    response: Response,
    who: string,
    counting = this.countRequest(keyId),
  ): Promise<void> {
    const counted = await counting;
    if (counted === null) return;
    const { limit, remaining, resetSeconds } = counted.allowance;
    response.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(resetSeconds),
      'RateLimit-Policy': `"key";q=${limit};w=${WINDOW_SECONDS}`,
      RateLimit: `"key";r=${remaining};t=${resetSeconds}`,
    });
    if (counted.exceeded)
      await this.refuse(
        keyId,
        `${who} has reached its limit of ${limit} requests per minute. Wait the number of seconds in Retry-After.`,
        resetSeconds,
      );
  }

  /**
   * Runs an authentication and counts it when it fails with 401. Only failures are limited by address, so that valid
   * keys behind a shared address keep working. Throws the errors of `authenticate`, or 429 when the address has failed
   * too often.
   */
  async limitFailures<T>(address: string, authenticate: () => Promise<T>): Promise<T> {
    try {
      return await authenticate();
    } catch (error) {
      if (error instanceof Problem && error.status === 401) await this.countFailure(address, error);
      throw error;
    }
  }

  /** Counts a failed authentication. Throws 429 when the address has failed too often. */
  async countFailure(address: string, problem: AuthenticationFailure): Promise<void> {
    const { allowance, exceeded } = await consume(this.failures, address);
    if (exceeded)
      await this.refuse(address, 'Too many requests without a valid key or token.', allowance.resetSeconds);
    await this.onFailure({ address, problem, count: allowance.limit - allowance.remaining });
  }

  /** Throws 429 `rate_limited` with `Retry-After`, after a delay for a sender that continues. */
  async refuse(sender: string, detail: string, retryAfterSeconds: number): Promise<never> {
    await this.delay.wait(sender);
    throw new Problem('rate_limited', detail, { headers: { 'Retry-After': String(retryAfterSeconds) } });
  }
}

function limiter(redis: Redis, keyPrefix: string, points: number): RateLimiterRedis {
  return new RateLimiterRedis({
    storeClient: redis,
    keyPrefix,
    points,
    duration: WINDOW_SECONDS,
    // Requests beyond the limit are refused without a Redis command.
    inMemoryBlockOnConsumed: points + 1,
  });
}

async function consume(
  counter: RateLimiterRedis,
  key: string,
): Promise<{ allowance: Allowance; exceeded: boolean }> {
  try {
    const state = await withTimeout(counter.consume(key), ANSWER_WITHIN_MS, 'no answer in time');
    return { allowance: allowanceOf(counter, state), exceeded: false };
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw new DependencyUnavailableError('Redis', { cause: error });
    return { allowance: allowanceOf(counter, error), exceeded: true };
  }
}

function allowanceOf(counter: RateLimiterRedis, state: RateLimiterRes): Allowance {
  return {
    limit: counter.points,
    remaining: state.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1000)),
  };
}
