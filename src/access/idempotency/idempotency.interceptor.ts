import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { catchError, concatMap, from, type Observable, of, throwError } from 'rxjs';
import { READ_ONLY } from '../../http/changes/change.decorators.js';
import { Problem } from '../../http/problems/problem.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import type { KeyOwner } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

const HEADER = 'Idempotency-Key';
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;

/**
 * Executes a POST with an `Idempotency-Key` once and answers repeats with the first response, unless the operation changes
 * nothing.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const key = request.header(HEADER);
    if (request.method !== 'POST' || key === undefined || request.caller === undefined) return next.handle();
    if (this.reflector.get<boolean | undefined>(READ_ONLY, context.getHandler())) return next.handle();
    if (!KEY_SHAPE.test(key))
      throw Problem.validation([
        { field: HEADER, message: `${HEADER} must be 1 to 255 visible ASCII characters` },
      ]);

    const owner: KeyOwner = { workspaceId: request.caller.workspaceId, apiKeyId: request.caller.keyId, key };
    const response = http.getResponse<Response>();
    const begun = await this.idempotency.begin(
      owner,
      fingerprintOf(request.method, request.originalUrl, request.body),
    );
    if ('answer' in begun) {
      response.status(begun.answer.status).set('Idempotency-Replayed', 'true');
      return of(begun.answer.body);
    }
    const { held } = begun;
    return next.handle().pipe(
      concatMap(async (body: unknown) => {
        await this.idempotency.complete(held, { status: response.statusCode, body });
        return body;
      }),
      catchError((error: unknown) =>
        from(this.idempotency.release(held)).pipe(concatMap(() => throwError(() => error))),
      ),
    );
  }
}

/** SHA-256 of method, address and body, independent of the order of the body's fields. */
export function fingerprintOf(method: string, address: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([method, address]))
    .update(canonical(body) ?? '')
    .digest();
}

/** Recursive; the depth of bodies has been limited before. */
function canonical(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}
