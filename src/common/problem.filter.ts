import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isDependencyAway } from './dependency-away.js';
import { Problem, type ProblemCode } from './problem.js';

const CODE_OF_STATUS: Record<number, ProblemCode> = {
  400: 'malformed_body',
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

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request & { id?: string }>();
    const response = http.getResponse<Response>();
    const problem = toProblem(exception);
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
}

function toProblem(exception: unknown): Problem {
  if (exception instanceof Problem) return exception;
  if (isDependencyAway(exception))
    return new Problem(
      'unavailable',
      'The database or the queue cannot be reached; please try again shortly',
      {
        headers: { 'Retry-After': RETRY_AFTER_SECONDS },
        cause: exception,
      },
    );
  const status = statusOf(exception);
  const code = status === undefined ? undefined : CODE_OF_STATUS[status];
  if (code !== undefined) return new Problem(code, detailOf(code, exception));
  if (status !== undefined && status >= 400 && status < 500)
    return new Problem('malformed_body', 'The request could not be read');
  return new Problem('internal_error', 'Something went wrong on our side', { cause: exception });
}

/** Nest's exceptions carry a status by method, those of Express and its body parsers by property. */
function statusOf(exception: unknown): number | undefined {
  if (exception instanceof HttpException) return exception.getStatus();
  const status = (exception as { status?: unknown } | null)?.status;
  return typeof status === 'number' ? status : undefined;
}

function detailOf(code: ProblemCode, exception: unknown): string {
  switch (code) {
    case 'malformed_body':
      return 'The request body or address could not be read; the body must be valid JSON';
    case 'not_found':
      return 'There is nothing at this address';
    case 'body_too_large':
      return 'The request body is too large';
    default:
      return exception instanceof HttpException ? exception.message : 'The request was refused';
  }
}
