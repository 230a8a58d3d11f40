import { Logger, Module } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { VERSION } from '../common/version.js';
import { ENVIRONMENT, type Environment, usesArchiveAlone } from '../config/environment.js';
import { REDIS } from '../infrastructure/queue/redis.module.js';
import { ArchivePlatform } from './archive/archive-platform.js';
import { ArcticShiftArchive } from './archive/arctic-shift-archive.js';
import { HackerNewsPlatform } from './hackernews/hackernews-platform.js';
import { perMinute } from './http/request-budget.js';
import { RedisRequestBudget } from './http/redis-request-budget.js';
import { PlatformBudgets } from './platform-budgets.js';
import { type PlatformLog } from './http/with-retry.js';
import type { Platform } from './platform.js';
import { Platforms } from './platforms.js';
import { RedditPlatform } from './reddit/reddit-platform.js';

/** Credentials for the synthetic platform; the real platform needs the operator's own. */
const SANDBOX_CLIENT = {
  id: 'sandbox',
  secret: 'sandbox',
  userAgent: `server:workspace-scraping-service:${VERSION} (self-hosted)`,
};

/** Provides the source platforms that the environment configures. */
@Module({
  providers: [
    {
      provide: PlatformBudgets,
      inject: [ENVIRONMENT, REDIS],
      useFactory: budgetsOf,
    },
    {
      provide: Platforms,
      inject: [ENVIRONMENT, PlatformBudgets],
      useFactory: (environment: Environment, budgets: PlatformBudgets) =>
        new Platforms(redditOf(environment, budgets.of('reddit')), {
          hn: hackerNewsOf(environment, budgets.of('hackernews')),
        }),
    },
  ],
  exports: [Platforms, PlatformBudgets],
})
export class PlatformModule {}

function redditOf(environment: Environment, budget: RedisRequestBudget): Platform {
  const archive = archiveOf(environment);
  if (archive !== null && usesArchiveAlone(environment)) return new ArchivePlatform(archive);
  const clientId = environment.PLATFORM_CLIENT_ID ?? SANDBOX_CLIENT.id;
  return new RedditPlatform({
    baseUrl: environment.PLATFORM_BASE_URL,
    authUrl: environment.PLATFORM_AUTH_URL,
    clientId,
    clientSecret: environment.PLATFORM_CLIENT_SECRET ?? SANDBOX_CLIENT.secret,
    userAgent: environment.PLATFORM_USER_AGENT ?? SANDBOX_CLIENT.userAgent,
    archive,
    budget,
    onLog: logAs('Platform'),
  });
}

function hackerNewsOf(environment: Environment, budget: RedisRequestBudget): Platform {
  return new HackerNewsPlatform({
    baseUrl: environment.HACKERNEWS_API_URL,
    userAgent: environment.PLATFORM_USER_AGENT ?? SANDBOX_CLIENT.userAgent,
    budget,
    onLog: logAs('HackerNews'),
  });
}

/**
 * Hacker News may use a sixth of its hourly requests in any ten minutes, so that no request waits for most of an hour.
 */
function budgetsOf(environment: Environment, redis: Redis): PlatformBudgets {
  const clientId = environment.PLATFORM_CLIENT_ID ?? SANDBOX_CLIENT.id;
  const hackerNews = {
    requests: Math.floor(environment.HACKERNEWS_REQUESTS_PER_HOUR / 6),
    withinMs: 10 * 60_000,
  };
  return new PlatformBudgets({
    reddit: new RedisRequestBudget(redis, clientId, perMinute(environment.PLATFORM_REQUESTS_PER_MINUTE)),
    hackernews: new RedisRequestBudget(redis, 'hackernews', hackerNews),
  });
}

function archiveOf(environment: Environment): ArcticShiftArchive | null {
  if (environment.ARCHIVE_BASE_URL === undefined) return null;
  return new ArcticShiftArchive({
    baseUrl: environment.ARCHIVE_BASE_URL,
    userAgent: environment.PLATFORM_USER_AGENT ?? SANDBOX_CLIENT.userAgent,
    onLog: logAs('Archive'),
  });
}

function logAs(context: string): PlatformLog {
  const logger = new Logger(context);
  return (event, details) => logger.warn({ msg: event, ...details });
}
