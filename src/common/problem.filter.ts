import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, Request, Response } from 'express';
import { allowedMethods } from './allowed-methods.js';
import { isDependencyAway } from './dependency-away.js';
import { Problem, type ProblemCode } from './problem.js';

const CODE_OF_STATUS: Record<number, ProblemCode> = {
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
};

/** Seconds a caller is asked to wait while Postgres or Redis is away. */
const RETRY_AFTER_SECONDS = '5';

/** The one place where failures become answers: RFC 9457 problem documents without stack, SQL or paths. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  constructor(private readonly adapters: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request & { id?: string }>();
    const response = http.getResponse<Response>();
    const problem = this.toProblem(exception, request);
    if (problem.status >= 500) this.logger.error({ err: exception, code: problem.code }, 'request failed');
    // A stream that already began cannot be answered any more; cutting it tells the client that it is incomplete.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response
      .status(problem.status)
      .set(problem.extra.headers ?? {})
      .type('application/problem+json')
      .send(
        JSON.stringify({
          type: `urn:problem:${problem.code}`,
          title: problem.title,
          status: problem.status,
          detail: problem.detail,
          instance: request.originalUrl.split('?')[0],
          code: problem.code,
          request_id: request.id,
          ...(problem.extra.errors && { errors: problem.extra.errors }),
        }),
      );
  }

  private toProblem(exception: unknown, request: Request): Problem {
    if (exception instanceof Problem) return exception;
    if (isDependencyAway(exception)) return unavailable(exception);
    const status = statusOf(exception);
    if (status === 404) return this.nothingThere(request);
    if (status === 400) return unreadable(exception);
    const code = status === undefined ? undefined : CODE_OF_STATUS[status];
    if (code !== undefined) return new Problem(code, detailOf(code));
    if (status !== undefined && status >= 400 && status < 500) return unreadable(exception);
    return new Problem('internal_error', 'Something went wrong on our side', { cause: exception });
  }

  /** The router knows no handler; whether it knows the path decides between 404 and 405. */
  private nothingThere(request: Request): Problem {
    const app = this.adapters.httpAdapter.getInstance<Application>();
    const methods = allowedMethods(app, request.path);
    if (methods.length === 0) return new Problem('not_found', detailOf('not_found'));
    return new Problem('method_not_allowed', `This address answers ${methods.join(', ')}`, {
      headers: { Allow: methods.join(', ') },
    });
  }
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
