import type { INestApplicationContext, ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../config/config.module.js';
import type { Environment } from '../config/environment.js';
import { DatabaseModule } from '../database/database.module.js';
import { createLogger, PinoLoggerService } from '../http/server/logging.js';
import { SecretsModule } from '../infrastructure/secrets/secrets.module.js';
import { AccessModule } from '../access/access.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';

class CommandModule {}

/**
 * The services of modules on the environment's database, which must be migrated. Needs only Postgres: no Redis and no
 * media store. Warnings go to standard error as JSON lines.
 */
export function createCommandContext(
  environment: Environment,
  modules: NonNullable<ModuleMetadata['imports']>,
): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(
    {
      module: CommandModule,
      imports: [
        ConfigModule.with(environment),
        DatabaseModule,
        SecretsModule.existing(),
        TenantsModule,
        AccessModule,
        ...modules,
      ],
    },
    { logger: new PinoLoggerService(createLogger('warn', process.stderr)), abortOnError: false },
  );
}
