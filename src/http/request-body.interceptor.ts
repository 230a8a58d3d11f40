import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { json, type Request, type Response } from 'express';
import type { Observable } from 'rxjs';
import { bodyErrors, hasTooManyCommas, TOO_MANY_VALUES } from './input-hygiene.js';
import { Problem } from './problem.js';
import { type AuthenticatedRequest, hasBody } from './request.js';

/** Size limit after decompression. */
const BODY_LIMIT = '256kb';
const JSON_TYPE = 'application/json';

/** Not strict: any JSON value is parsed, so that validation can reject a body that is not an object. */
const readJson = promisify<Request, Response>(
  json({
    limit: BODY_LIMIT,
    strict: false,
    verify: (_request, _response, body, charset) => refuseUnparsed(body, charset),
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
function refuseUnparsed(body: Buffer, charset: string): void {
  if (!/^utf-?8$/i.test(charset)) return;
  if (!isUtf8(body)) throw Problem.validation([{ field: 'body', message: 'body is not UTF-8 text' }]);
  if (hasTooManyCommas(body)) throw Problem.validation([TOO_MANY_VALUES]);
}

async function readBody(request: AuthenticatedRequest, response: Response): Promise<void> {
  if (!request.is(JSON_TYPE))
    throw new Problem('unsupported_media_type', `Send the body as JSON with Content-Type: ${JSON_TYPE}`);
  await readJson(request, response);
  const errors = bodyErrors(request.body);
  if (errors.length > 0) throw Problem.validation(errors);
}
