import { HttpException, Logger, NotFoundException } from '@nestjs/common';
import type { Application, NextFunction, Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { isDependencyAway } from '../common/dependency-away.js';
import type { ProblemDto } from './problem.dto.js';
import { Problem, type ProblemCode } from './problem.js';

const CODE_OF_STATUS: Record<number, ProblemCode> = {
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

/** Seconds a caller is asked to wait while Postgres or Redis is away. */
const RETRY_AFTER_SECONDS = '5';

/** HTTP asks every 401 to name a scheme; the key's own header has none. */
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' };

const logger = new Logger('ProblemAnswer');

/** The one way in which failures become answers: RFC 9457 problem documents without stack, SQL or paths. */
export function answerFailure(
  failure: unknown,
  app: Application,
  request: Request & { id?: unknown },
  response: Response,
): void {
  const problem = toProblem(failure, app, request);
  if (problem.status >= 500) logger.error({ err: failure, code: problem.code }, 'request failed');
  // A stream that already began cannot be answered any more; cutting it tells the client that it is incomplete.
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response
    .status(problem.status)
    .set({ ...(problem.status === 401 && CHALLENGE), ...problem.extra.headers })
    .type('application/problem+json')
    .send(JSON.stringify(problemDocument(problem, request.originalUrl.split('?')[0]!, request.id as string)));
}

/** The body of a refusal. `instance` is the path of the request. */
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
  };
}

/** Answers what Nest's handlers leave: addresses and failures outside the API's prefix. Register it last. */
export function answerTheRest(app: Application): void {
  app.use((request: Request, response: Response) =>
    answerFailure(new NotFoundException(), app, request, response),
  );
  app.use((failure: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerFailure(failure, app, request, response),
  );
}

function toProblem(failure: unknown, app: Application, request: Request): Problem {
  if (failure instanceof Problem) return failure;
  if (isDependencyAway(failure)) return unavailable(failure);
  const status = statusOf(failure);
  if (status === 404) return nothingThere(app, request);
  const code = status === undefined ? undefined : CODE_OF_STATUS[status];
  if (code !== undefined) return new Problem(code, detailOf(code));
  if (status !== undefined && status >= 400 && status < 500) return unreadable(failure);
  return new Problem('internal_error', 'Something went wrong on our side', { cause: failure });
}

/** The router knows no handler; whether it knows the path decides between 404 and 405. */
function nothingThere(app: Application, request: Request): Problem {
  const methods = allowedMethods(app, request.originalUrl.split('?')[0]!);
  if (methods.length === 0) return new Problem('not_found', detailOf('not_found'));
  return new Problem('method_not_allowed', `This address answers ${methods.join(', ')}`, {
    headers: { Allow: methods.join(', ') },
  });
}

function unavailable(cause: unknown): Problem {
  return new Problem('unavailable', 'The database or the queue cannot be reached; please try again shortly', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS },
    cause,
  });
}

/** What parsers refuse: a body that is no JSON, an address that is not URL-encoded. */
function unreadable(exception: unknown): Problem {
  const cause = exception instanceof Error ? (exception.cause ?? exception) : exception;
  return Problem.validation([
    cause instanceof URIError || (cause instanceof Error && /decode param/i.test(cause.message))
      ? { field: 'path', message: 'path is not URL-encoded UTF-8 text' }
      : { field: 'body', message: 'body could not be read; it must be valid JSON' },
  ]);
}

/** Nest's exceptions carry a status by method, those of Express and its body parsers by property. */
function statusOf(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  const status = (exception as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
}

function detailOf(code: ProblemCode): string {
  switch (code) {
    case 'not_found':
      return 'There is nothing at this address';
    case 'body_too_large':
      return 'The request body is too large';
    case 'unsupported_media_type':
      return 'The body must be JSON in UTF-8, uncompressed or compressed with gzip, deflate or br';
    default:
      return 'The request was refused';
  }
}
