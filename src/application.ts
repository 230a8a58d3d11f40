import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import { ConfigurationError, type Environment } from './config/environment.js';

export const API_PREFIX = 'api/v1';
const BODY_LIMIT = '256kb';

/** The assembled service, not listening yet. Every role serves its probes; the API only where its role is asked for. */
export async function createApplication(environment: Environment): Promise<NestExpressApplication> {
  if (environment.DATABASE_URL === undefined || environment.REDIS_URL === undefined)
    throw new ConfigurationError(
      'DATABASE_URL and REDIS_URL: must both be set for a single process; `npm start` brings its own servers',
    );
  const app = await NestFactory.create<NestExpressApplication>(AppModule.for(environment), {
    bufferLogs: true,
    bodyParser: false,
    abortOnError: false,
  });
  app.useLogger(app.get(Logger));
  app.setGlobalPrefix(API_PREFIX, { exclude: ['health/live', 'health/ready', 'metrics'] });
  app.disable('x-powered-by');
  app.use(helmet());
  app.useBodyParser('json', { limit: BODY_LIMIT, strict: false });
  return app;
}
