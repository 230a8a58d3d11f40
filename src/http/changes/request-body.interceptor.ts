import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { json, type Request, type Response } from 'express';
import type { Observable } from 'rxjs';
import { bodyErrors, hasTooManyCommas, TOO_MANY_VALUES } from '../parameters/input-hygiene.js';
import { Problem } from '../problems/problem.js';
import { type AuthenticatedRequest, hasBody } from '../request/request.js';

/** Size limit after decompression. */
const BODY_LIMIT = '256kb';
const JSON_TYPE = 'application/json';

/** Not strict: any JSON value is parsed, so that validation can reject a body that is not an object. */
const readJson = promisify<Request, Response>(
  json({
    limit: BODY_LIMIT,
    strict: false,
    verify: (_request, _response, body) => refuseUnparsed(body),
  }),
);

/**
 * Reads, decompresses and checks the body of authenticated requests. It runs after the guards, so a request without a
 * valid key or token costs no parsing; Node.js discards its body unread. Throws 415 for anything but JSON, 413 above
 * 256 KiB, and 400 for an invalid body.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if ((request.caller !== undefined || request.isAdmin || request.isSignIn) && hasBody(request))
      await readBody(request, context.switchToHttp().getResponse<Response>());
    return next.handle();
  }
}

/**
 * Throws 400 for bytes that are not valid text, which the decoder would silently replace, and for more values than any
 * body may have.
 */
function refuseUnparsed(body: Buffer): void {
  if (!isUtf8(body)) throw Problem.validation([{ field: 'body', message: 'body is not UTF-8 text' }]);
  if (hasTooManyCommas(body)) throw Problem.validation([TOO_MANY_VALUES]);
}

/** Names of UTF-8 and of its subset. JSON has no other encoding between systems (RFC 8259, 8.1). */
const UTF_8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Throws 415 for another charset. The parser knows only one of the names. */
function requireUtf8(request: Request): void {
  const type = request.headers['content-type'] ?? '';
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(type) ?? [];
  if (charset === undefined) return;
  if (!UTF_8.has(charset.toLowerCase()))
    throw new Problem('unsupported_media_type', `The body must be UTF-8, not ${charset.slice(0, 40)}`);
  request.headers['content-type'] = `${JSON_TYPE}; charset=utf-8`;
}

async function readBody(request: AuthenticatedRequest, response: Response): Promise<void> {
  if (!request.is(JSON_TYPE))
    throw new Problem('unsupported_media_type', `Send the body as JSON with Content-Type: ${JSON_TYPE}`);
  requireUtf8(request);
  await readJson(request, response);
  const errors = bodyErrors(request.body);
  if (errors.length > 0) throw Problem.validation(errors);
}
