import { Logger, Module } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { VERSION } from '../common/version.js';
import { ConfigurationError, ENVIRONMENT, type Environment } from '../config/environment.js';
import { OutboundHttpClient } from '../infrastructure/outbound-http/outbound-http-client.js';
import { REDIS } from '../infrastructure/queue/redis.js';
import { PlatformBudgets } from './platform-budgets.js';
import type { PlatformContext } from './platform-definition.js';
import { Platforms } from './platforms.js';
import { SOURCES, SOURCES_FAILURE } from './registry.js';

/** The `User-Agent` where the operator names none. */
const USER_AGENT = `server:workspace-scraping-service:${VERSION} (self-hosted)`;

/** Provides the source platforms that the environment configures. */
@Module({
  providers: [
    {
      provide: PlatformBudgets,
      inject: [ENVIRONMENT, REDIS],
      useFactory: (environment: Environment, redis: Redis) =>
        new PlatformBudgets(SOURCES, environment, redis),
    },
    {
      provide: Platforms,
      inject: [ENVIRONMENT, PlatformBudgets, OutboundHttpClient],
      useFactory: (environment: Environment, budgets: PlatformBudgets, outbound: OutboundHttpClient) => {
        if (SOURCES_FAILURE !== null) throw new ConfigurationError(SOURCES_FAILURE);
        return new Platforms(SOURCES, (definition) =>
          definition.create({
            environment,
            userAgent: environment.PLATFORM_USER_AGENT ?? USER_AGENT,
            outbound,
            budget: (site) => budgets.of(definition.source, site ?? null),
            logAs,
          }),
        );
      },
    },
  ],
  exports: [Platforms, PlatformBudgets],
})
export class PlatformModule {}

const logAs: PlatformContext['logAs'] = (context) => {
  const logger = new Logger(context);
  return (event, details) => logger.warn({ msg: event, ...details });
};
