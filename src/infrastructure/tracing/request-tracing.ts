import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import type { Tracing } from './tracing.js';
import { type AuthenticatedRequest, pathOf, routeOf, withoutToken } from '../../http/request/request.js';

/**
 * Middleware that records a span per request, except for probes and metrics. Queries, headers and bodies are not
 * recorded, so no key can leak into a trace.
 */
export function traceRequests(
  tracing: Tracing,
): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const path = pathOf(request);
    if (!tracing.isActive || path.startsWith('/health/') || path === '/metrics') {
      next();
      return;
    }
    const { method } = request;
    const span = tracing.begin(
      method,
      SpanKind.SERVER,
      {
        'http.request.method': method,
        'url.path': withoutToken(path),
        'wss.request_id': (request as AuthenticatedRequest).id,
      },
      request.headers,
    );
    response.once('close', () => {
      const route = routeOf(request);
      if (route !== null) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      // A request rejected by a guard has no caller.
      const { caller } = request as Partial<AuthenticatedRequest>;
      if (caller !== undefined) span.setAttribute('wss.workspace_id', caller.workspaceId);
      span.setAttribute('http.response.status_code', response.statusCode);
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    next();
  };
}
