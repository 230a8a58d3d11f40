import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { routeOf } from '../../http/request/request.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

/** Label of requests that match no route, so that made-up paths create no new series. */
const NO_ROUTE = 'none';

/**
 * Request durations by method, route template and status. Event streams are excluded, because they last as long as
 * their job.
 */
@Injectable()
export class HttpMetrics {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: MetricsRegistry) {
    this.durations = new Histogram({
      name: 'wss_http_request_duration_seconds',
      help: 'Time from receiving a request to the end of its response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry.registry],
    });
  }

  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      if (isEventStream(response)) return;
      this.durations.observe(
        {
          method: request.method,
          route: routeOf(request) ?? NO_ROUTE,
          // A client that disconnected early is counted under 499, as in reverse proxies.
          status: response.writableFinished ? response.statusCode : 499,
        },
        (performance.now() - startedAt) / 1000,
      );
    });
    next();
  };
}

function isEventStream(response: Response): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
