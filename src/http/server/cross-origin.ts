import type { NestExpressApplication } from '@nestjs/platform-express';

/** Headers of requests that pages of other origins may send; a header that an operation reads is added here. */
export const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Range',
  'X-API-Key',
  'X-Request-Id',
] as const;

/** Headers of responses that pages of other origins may read; a header that an operation sets is added here. */
export const RESPONSE_HEADERS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Last-Modified',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
] as const;

const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins call the API; `*` allows any origin. Credentials are not allowed: the session cookie is
 * only for the service's own pages.
 */
export function allowOrigins(app: NestExpressApplication, origins: string[]): void {
  app.enableCors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: [...REQUEST_HEADERS],
    exposedHeaders: [...RESPONSE_HEADERS],
    maxAge: PREFLIGHT_SECONDS,
    preflightContinue: true,
  });
}
