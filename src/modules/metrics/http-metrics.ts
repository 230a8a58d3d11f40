import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Histogram } from 'prom-client';
import { MetricsRegistry } from './metrics-registry.js';

/** Requests that no route took share one label, so that invented addresses make no series. */
const NO_ROUTE = 'none';

/** Counts and times requests by route template, never by address. */
@Injectable()
export class HttpMetrics {
  private readonly durations: Histogram<'method' | 'route' | 'status'>;

  constructor(registry: MetricsRegistry) {
    this.durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from a request to the end of its answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers: [registry.registry],
    });
  }

  readonly observe = (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      const route = (request.route as { path?: unknown } | undefined)?.path;
      this.durations.observe(
        {
          method: request.method,
          route: typeof route === 'string' ? route : NO_ROUTE,
          // A client that went away before the end is told apart, as reverse proxies do.
          status: response.writableFinished ? response.statusCode : 499,
        },
        (performance.now() - startedAt) / 1000,
      );
    });
    next();
  };
}
