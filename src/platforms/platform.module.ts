import { Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { REDIS } from '../infrastructure/queue/redis.module.js';
import { ARCHIVE, type Archive, PLATFORM, type Platform } from './platform.js';
import { ArcticShiftArchive } from './reddit/arctic-shift-archive.js';
import { RedditPlatform } from './reddit/reddit-platform.js';
import { RedisRequestBudget } from './reddit/redis-request-budget.js';

/** Credentials for the synthetic platform; the real platform needs the operator's own. */
const SANDBOX_CLIENT = {
  id: 'sandbox',
  secret: 'sandbox',
  userAgent: 'server:workspace-scraping-service:0.1.0 (self-hosted)',
};

@Injectable()
class PlatformCloser implements OnApplicationShutdown {
  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(ARCHIVE) private readonly archive: Archive | null,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.platform.close();
    this.archive?.close();
  }
}

/** Provides the source platform and the archive that the environment configures. */
@Module({
  providers: [
    {
      provide: PLATFORM,
      inject: [ENVIRONMENT, REDIS],
      useFactory: (environment: Environment, redis: Redis): Platform => {
        const logger = new Logger('Platform');
        const clientId = environment.PLATFORM_CLIENT_ID ?? SANDBOX_CLIENT.id;
        return new RedditPlatform({
          baseUrl: environment.PLATFORM_BASE_URL,
          authUrl: environment.PLATFORM_AUTH_URL,
          clientId,
          clientSecret: environment.PLATFORM_CLIENT_SECRET ?? SANDBOX_CLIENT.secret,
          userAgent: environment.PLATFORM_USER_AGENT ?? SANDBOX_CLIENT.userAgent,
          budget: new RedisRequestBudget(redis, clientId, environment.PLATFORM_REQUESTS_PER_MINUTE),
          onLog: (event, details) => logger.warn({ msg: event, ...details }),
        });
      },
    },
    {
      provide: ARCHIVE,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment): Archive | null => {
        if (environment.ARCHIVE_BASE_URL === undefined) return null;
        const logger = new Logger('Archive');
        return new ArcticShiftArchive({
          baseUrl: environment.ARCHIVE_BASE_URL,
          userAgent: environment.PLATFORM_USER_AGENT ?? SANDBOX_CLIENT.userAgent,
          onLog: (event, details) => logger.warn({ msg: event, ...details }),
        });
      },
    },
    PlatformCloser,
  ],
  exports: [PLATFORM, ARCHIVE],
})
export class PlatformModule {}
