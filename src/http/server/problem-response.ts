import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, NextFunction, Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { ClientGoneError } from '../request/request-scope.js';
import { mayPass } from '../../common/dependency-unavailable.js';
import { NothingMore } from '../pages/nothing-more.js';
import type { ProblemDto } from '../problems/problem.dto.js';
import { Problem } from '../problems/problem.js';
import { pathOf } from '../request/request.js';

/** Value of `Retry-After` while Postgres or Redis is unavailable. */
const RETRY_AFTER_SECONDS = '5';

/** HTTP requires every 401 to name an authentication scheme, but a key in a custom header has no registered one. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

const logger = new Logger('ProblemResponse');

/** Answers every error thrown by an operation, guard, pipe or interceptor with a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const app = this.adapters.httpAdapter.getInstance<Application>();
    sendProblem(error, app, http.getRequest<Request>(), http.getResponse<Response>());
  }
}

/** Answers requests and errors that reach no Nest handler. Register it last. */
export function answerTheRest(app: Application): void {
  app.use((request: Request, response: Response) =>
    sendProblem(new NotFoundException(), app, request, response),
  );
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    sendProblem(error, app, request, response),
  );
}

/** The body of a problem response (RFC 9457). `instance` is the path of the request. */
export function problemDocument(problem: Problem, instance: string, requestId: string): ProblemDto {
  return {
    type: `urn:problem:${problem.code}`,
    title: problem.title,
    status: problem.status,
    detail: problem.detail,
    instance,
    code: problem.code,
    request_id: requestId,
    ...(problem.extra.errors && { errors: problem.extra.errors }),
    ...problem.extra.members,
  };
}

/** Writes every error response: a problem document without stack, SQL or file paths. */
function sendProblem(
  error: unknown,
  app: Application,
  request: Request & { id?: unknown },
  response: Response,
): void {
  if (error instanceof ClientGoneError) return;
  if (error instanceof NothingMore) {
    response.status(204).end();
    return;
  }
  const problem = toProblem(error, app, request);
  if (problem.status >= 500) logger.error({ err: error, code: problem.code }, 'request failed');
  // A response that has started cannot become a problem document; closing the connection shows the client that it is
  // incomplete.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response
    .status(problem.status)
    .set({
      ...(problem.status === 401 && !response.hasHeader('WWW-Authenticate') && CHALLENGE),
      ...problem.extra.headers,
    })
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, pathOf(request), request.id as string)));
}

function toProblem(error: unknown, app: Application, request: Request): Problem {
  if (error instanceof Problem) return error;
  if (mayPass(error))
    return new Problem('unavailable', 'The database or queue is temporarily unavailable. Try again later.', {
      headers: { 'Retry-After': RETRY_AFTER_SECONDS },
      cause: error,
    });
  const status = statusOf(error);
  if (status === 404) return noRoute(app, request);
  if (status === 413) {
    const limit = Number((error as { limit?: unknown }).limit ?? 262_144);
    return new Problem('body_too_large', `The request body exceeds ${limit / 1_024} KiB.`);
  }
  if (status === 415)
    return new Problem(
      'unsupported_media_type',
      'The body must be JSON in UTF-8, uncompressed or compressed with gzip, deflate or br.',
    );
  if (status !== undefined && status >= 400 && status < 500) return unreadable(error);
  return new Problem('internal_error', 'Internal error. Report the request_id to the operator.', {
    cause: error,
  });
}

/** 405 when another method has a handler at the path, else 404. */
function noRoute(app: Application, request: Request): Problem {
  const path = pathOf(request);
  const allowed = allowedMethods(app, path).join(', ');
  if (allowed === '') return Problem.noRoute(request.method, path);
  return new Problem(
    'method_not_allowed',
    `${request.method} is not allowed at this path. Allowed: ${allowed}.`,
    {
      headers: { Allow: allowed },
    },
  );
}

/** Errors of parsers: a body that is not JSON, a path that is not URL-encoded. */
function unreadable(error: unknown): Problem {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return Problem.validation([
    cause instanceof URIError || (cause instanceof Error && /decode param/i.test(cause.message))
      ? { field: 'path', message: 'path is not URL-encoded UTF-8 text' }
      : { field: 'body', message: 'body is not valid JSON' },
  ]);
}

/** Nest's exceptions return their status from a method; errors of Express and its body parser have it as a property. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
}
