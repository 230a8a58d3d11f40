import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { HttpMetrics } from './http-metrics.js';
import { MetricsRegistry } from '../../infrastructure/metrics/metrics-registry.js';

/** The labels under which a request is counted, as text; null when it is not counted. */
async function labelsOf(
  response: { statusCode?: number; writableFinished?: boolean; type?: string },
  route: object | undefined = { path: '/jobs/:id' },
): Promise<string | null> {
  const registry = new MetricsRegistry();
  const { statusCode = 200, writableFinished = true, type = 'application/json' } = response;
  const answer = Object.assign(new EventEmitter(), {
    statusCode,
    writableFinished,
    getHeader: () => type,
  });
  let isHandled = false;
  new HttpMetrics(registry).observe(
    { method: 'GET', route } as unknown as Request,
    answer as unknown as Response,
    () => (isHandled = true),
  );
  expect(isHandled).toBe(true);
  answer.emit('close');
  const text = await registry.registry.getSingleMetricAsString('wss_http_request_duration_seconds');
  return /_count\{(.*)\} 1$/m.exec(text)?.[1] ?? null;
}

describe('the duration of a request', () => {
  it.each([
    [{}, 'method="GET",route="/jobs/:id",status="200"'],
    [{ statusCode: 503 }, 'method="GET",route="/jobs/:id",status="503"'],
    [{ writableFinished: false }, 'method="GET",route="/jobs/:id",status="499"'],
    [{ type: 'text/event-stream; charset=utf-8' }, null],
  ])('with the response %j is counted under %s', async (response, labels) => {
    expect(await labelsOf(response)).toBe(labels);
  });

  it.each([[undefined], [{ path: '*path' }], [{ path: /x/ }]])(
    'of a request that matched the route %p is counted under none',
    async (route) => {
      expect(await labelsOf({ statusCode: 404 }, route ?? {})).toContain('route="none"');
    },
  );
});
