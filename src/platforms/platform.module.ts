import { Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/environment.js';
import { PLATFORM, type Platform } from './platform.js';
import { RedditPlatform } from './reddit/reddit-platform.js';
import { InProcessRequestBudget } from './reddit/request-budget.js';

/** Enough for the synthetic platform; the real one asks for the operator's own. */
const SANDBOX_USER_AGENT = 'server:workspace-scraping-service:0.1.0 (self-hosted)';

@Injectable()
class PlatformCloser implements OnApplicationShutdown {
  constructor(@Inject(PLATFORM) private readonly platform: Platform) {}

  onApplicationShutdown(): Promise<void> {
    return this.platform.close();
  }
}

/** The source platform, as the environment names it. */
@Module({
  providers: [
    {
      provide: PLATFORM,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment): Platform => {
        const logger = new Logger('Platform');
        return new RedditPlatform({
          baseUrl: environment.PLATFORM_BASE_URL,
          authUrl: environment.PLATFORM_AUTH_URL,
          clientId: environment.PLATFORM_CLIENT_ID ?? '',
          clientSecret: environment.PLATFORM_CLIENT_SECRET ?? '',
          userAgent: environment.PLATFORM_USER_AGENT ?? SANDBOX_USER_AGENT,
          budget: new InProcessRequestBudget(environment.PLATFORM_REQUESTS_PER_MINUTE),
          onLog: (event, details) => logger.warn({ msg: event, ...details }),
        });
      },
    },
    PlatformCloser,
  ],
  exports: [PLATFORM],
})
export class PlatformModule {}
