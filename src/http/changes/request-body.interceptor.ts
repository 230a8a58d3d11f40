import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
} from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import { json, type Request, type Response, text } from 'express';
import type { Observable } from 'rxjs';
import { bodyErrors, hasTooManyCommas, TOO_MANY_VALUES } from '../parameters/input-hygiene.js';
import { Problem } from '../problems/problem.js';
import { type AuthenticatedRequest, hasBody } from '../request/request.js';

/** Size limit after decompression. */
const BODY_LIMIT = '256kb';
const TEXT_LIMIT = '1mb';
const JSON_TYPE = 'application/json';
const TEXT_TYPES = 'text-types';

/** Marks an operation whose body is a text of one of some media types, of at most 1 MiB, instead of JSON. */
export const TakesText = (...types: string[]): MethodDecorator =>
  applyDecorators(
    SetMetadata(TEXT_TYPES, types),
    ApiConsumes(...types),
    ApiBody({ required: true, schema: { type: 'string' } }),
  );

/** Not strict: any JSON value is parsed, so that validation can reject a body that is not an object. */
const readJson = promisify<Request, Response>(
  json({
    limit: BODY_LIMIT,
    strict: false,
    verify: (_request, _response, body) => refuseUnparsed(body),
  }),
);

const readText = promisify<Request, Response>(
  text({
    limit: TEXT_LIMIT,
    type: () => true,
    verify: (_request, _response, body) => refuseOtherBytes(body),
  }),
);

/**
 * Reads, decompresses and checks the body of authenticated requests. It runs after the guards, so a request without a
 * valid key or token costs no parsing; Node.js discards its body unread. Throws 415 for anything but JSON, or the types that
 * the operation takes, 413 above 256 KiB, or 1 MiB of text, and 400 for an invalid body.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if ((request.caller !== undefined || request.isAdmin || request.isSignIn) && hasBody(request))
      await readBody(
        request,
        context.switchToHttp().getResponse<Response>(),
        Reflect.getMetadata(TEXT_TYPES, context.getHandler()) as string[] | undefined,
      );
    return next.handle();
  }
}

/**
 * Throws 400 for bytes that are not valid text, which the decoder would silently replace, and for more values than any
 * body may have.
 */
function refuseUnparsed(body: Buffer): void {
  refuseOtherBytes(body);
  if (hasTooManyCommas(body)) throw Problem.validation([TOO_MANY_VALUES]);
}

function refuseOtherBytes(body: Buffer): void {
  if (!isUtf8(body)) throw Problem.validation([{ field: 'body', message: 'body is not UTF-8 text' }]);
}

/** Names of UTF-8 and of its subset. JSON has no other encoding between systems (RFC 8259, 8.1). */
const UTF_8 = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

/** Throws 415 for another charset. The parser knows only one of the names. */
function requireUtf8(request: Request, type: string): void {
  const given = request.headers['content-type'] ?? '';
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(given) ?? [];
  if (charset === undefined) return;
  if (!UTF_8.has(charset.toLowerCase()))
    throw new Problem('unsupported_media_type', `The body must be UTF-8, not ${charset.slice(0, 40)}`);
  request.headers['content-type'] = `${type}; charset=utf-8`;
}

async function readBody(
  request: AuthenticatedRequest,
  response: Response,
  texts: readonly string[] | undefined,
): Promise<void> {
  const types = texts ?? [JSON_TYPE];
  if (request.is([...types]) === false)
    throw new Problem(
      'unsupported_media_type',
      `Send the body as ${texts === undefined ? 'JSON' : 'text'} with Content-Type: ${types.join(' or ')}`,
    );
  requireUtf8(request, types[0]!);
  if (texts !== undefined) return readText(request, response);
  await readJson(request, response);
  const errors = bodyErrors(request.body);
  if (errors.length > 0) throw Problem.validation(errors);
}
