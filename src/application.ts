import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Application } from 'express';
import { AppModule } from './app.module.js';
import { allowOrigins } from './http/server/cross-origin.js';
import { answerOptions } from './http/server/allowed-methods.js';
import { assignClientAddress } from './http/server/client-address.js';
import { serveDashboard } from './http/server/dashboard.js';
import { serveSiteFiles } from './http/server/site-files.js';
import { ExpressServer } from './http/server/express-server.js';
import { inOrder } from './http/server/in-order.js';
import { createLogger, logRequests, PinoLoggerService } from './http/server/logging.js';
import { answerTheRest } from './http/server/problem-response.js';
import { refuseUnusableQuery } from './http/parameters/input-hygiene.js';
import { assignRequestId, honourIfNoneMatch, nameProcess } from './http/server/request-headers.js';
import { openRequestScope } from './http/request/request-scope.js';
import { setSecurityHeaders } from './http/server/security-headers.js';
import { useProxy } from './infrastructure/outbound-http/proxy-tunnel.js';
import { traceRequests } from './infrastructure/tracing/request-tracing.js';
import { answerUnreadableRequests } from './http/server/unreadable-request.js';
import { ConfigurationError, type Environment } from './config/environment.js';
import {
  API_PREFIX,
  PATHS_WITHOUT_PREFIX,
  refuseOtherSpellings,
  serveProbesOnly,
} from './http/request/paths.js';
import { Tracing } from './infrastructure/tracing/tracing.js';
import { Draining } from './infrastructure/readiness/draining.js';
import { HttpMetrics } from './operate/metrics/http-metrics.js';
import { serveDocumentation } from './openapi/contract.js';

/**
 * Longer than proxies and clients keep idle connections open, so that they close first and never write to a closing
 * one.
 */
const KEEP_ALIVE_MS = 65_000;

/**
 * Creates the service, not yet listening. Every role serves probes and metrics; only the role `api` serves the API.
 * Throws {@link ConfigurationError} when the address of Postgres or Redis is missing.
 */
export async function createApplication(environment: Environment): Promise<NestExpressApplication> {
  if (environment.DATABASE_URL === undefined || environment.REDIS_URL === undefined)
    throw new ConfigurationError(
      'DATABASE_URL and REDIS_URL: must both be set for a single process; `npm start` brings its own servers',
    );
  useProxy(environment);
  const logger = createLogger(environment.LOG_LEVEL);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.for(environment),
    new ExpressServer(),
    {
      logger: new PinoLoggerService(logger),
      bodyParser: false,
      abortOnError: false,
    },
  );
  app.setGlobalPrefix(API_PREFIX, { exclude: [...PATHS_WITHOUT_PREFIX] });
  app.disable('x-powered-by');
  const servesApi = environment.ROLES.includes('api');
  const draining = app.get(Draining);
  app.use(
    inOrder(
      assignRequestId,
      nameProcess,
      assignClientAddress(environment.TRUSTED_PROXIES),
      logRequests(logger),
      ...(servesApi ? [openRequestScope] : []),
      honourIfNoneMatch,
      app.get(HttpMetrics).observe,
      traceRequests(app.get(Tracing)),
      (_request, response, next) => {
        if (draining.hasBegun) response.set('Connection', 'close');
        next();
      },
      setSecurityHeaders(),
    ),
  );
  if (environment.CORS_ALLOWED_ORIGINS.length > 0) allowOrigins(app, environment.CORS_ALLOWED_ORIGINS);
  const express = app.getHttpAdapter().getInstance() as Application;
  const dashboard = {
    hasSyntheticReddit: environment.PLATFORM_IS_SYNTHETIC,
    hasEmail: environment.SMTP_URL !== undefined,
  };
  app.use(
    inOrder(
      answerOptions(express),
      ...(servesApi ? [serveSiteFiles(environment.SECURITY_CONTACT), serveDashboard(dashboard)] : []),
      refuseUnusableQuery,
      refuseOtherSpellings,
    ),
  );
  if (servesApi) serveDocumentation(app);
  else app.use(serveProbesOnly);
  try {
    await app.init();
  } catch (error) {
    // Parts that have already started, such as polling loops, would otherwise keep running.
    await app.close().catch(() => undefined);
    throw error;
  }
  answerTheRest(express);
  const server = app.getHttpServer();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerUnreadableRequests(server);
  return app;
}
