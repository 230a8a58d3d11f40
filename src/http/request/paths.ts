import type { NextFunction, Request, Response } from 'express';
import { Problem } from '../problems/problem.js';

/** Path prefix of every API operation. */
export const API_PREFIX = 'api/v1';

/** Stands for a workspace id in a path: the workspace of the API key. */
export const OWN_WORKSPACE = 'current';

/** Paths of probes and metrics, which every process serves. */
const PROBE_PATHS = ['health/live', 'health/ready', 'metrics'] as const;

/** Paths outside of {@link API_PREFIX}: probes, metrics, and the protocol of assistants with its authorization. */
export const PATHS_WITHOUT_PREFIX = [
  ...PROBE_PATHS,
  'mcp',
  '.well-known/oauth-protected-resource',
  '.well-known/oauth-protected-resource/mcp',
  '.well-known/oauth-authorization-server',
] as const;

/** Middleware: a proxy's rule for `/metrics` must not miss `/METRICS` or `/metrics/`, so these are no routes. */
export function refuseOtherSpellings(request: Request, _response: Response, next: NextFunction): void {
  const { path } = request;
  const isOther = path !== '/metrics' && /^\/metrics\/?$/i.test(path);
  next(isOther ? Problem.noRoute(request.method, path) : undefined);
}

/** Middleware for processes without the role `api`: answers every request except probes and metrics with 404. */
export function serveProbesOnly(request: Request, _response: Response, next: NextFunction): void {
  if (PROBE_PATHS.some((path) => request.path === `/${path}`)) next();
  else
    next(
      new Problem(
        'not_found',
        'This process serves health and metrics only. Send API requests to a process with the role api.',
      ),
    );
}
