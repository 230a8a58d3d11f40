import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application } from 'express';
import helmet from 'helmet';
import { AppModule } from './app.module.js';
import { answerOptions } from './http/allowed-methods.js';
import { honourIfNoneMatch } from './http/conditional-request.js';
import { createLogger, logRequests, PinoLoggerService } from './http/logging.js';
import { answerTheRest } from './http/problem-answer.js';
import { nameRequest } from './http/request-id.js';
import { answerUnreadableRequests } from './http/unreadable-request.js';
import { ConfigurationError, type Environment } from './config/environment.js';
import { API_PREFIX, PATHS_WITHOUT_PREFIX } from './http/paths.js';
import { HttpMetrics } from './modules/metrics/http-metrics.js';
import { serveDocumentation } from './openapi/contract.js';

/** Longer than proxies and clients keep an idle connection, so that they close it and never send into a closing one. */
const KEEP_ALIVE_MS = 65_000;

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
  const logger = createLogger(environment.LOG_LEVEL);
  app.useLogger(new PinoLoggerService(logger));
  app.setGlobalPrefix(API_PREFIX, { exclude: [...PATHS_WITHOUT_PREFIX] });
  app.disable('x-powered-by');
  app.use(nameRequest, logRequests(logger), honourIfNoneMatch, app.get(HttpMetrics).observe);
  // The service itself speaks plain HTTP; a browser told to upgrade would not find the documentation's assets.
  app.use(helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } }));
  if (environment.CORS_ALLOWED_ORIGINS.length > 0) allowOrigins(app, environment.CORS_ALLOWED_ORIGINS);
  const express = app.getHttpAdapter().getInstance() as Application;
  app.use(answerOptions(express));
  if (environment.ROLES.includes('api')) serveDocumentation(app);
  await app.init();
  answerTheRest(express);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerUnreadableRequests(server);
  return app;
}

/** Answers are readable by pages of these origins alone; `*` stands for any. No cookie is involved, so none is allowed. */
function allowOrigins(app: NestExpressApplication, origins: string[]): void {
  app.enableCors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ['X-API-Key', 'Authorization', 'Content-Type', 'Idempotency-Key', 'X-Request-Id'],
    exposedHeaders: [
      'Content-Disposition',
      'Idempotency-Replayed',
      'RateLimit-Limit',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Request-Id',
    ],
    maxAge: 600,
    preflightContinue: true,
  });
}
