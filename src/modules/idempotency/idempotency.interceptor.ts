import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Response } from 'express';
import { catchError, concatMap, from, type Observable, of, throwError } from 'rxjs';
import { Problem } from '../../http/problem.js';
import type { AuthenticatedRequest } from '../../http/request.js';
import { fingerprintOf } from './fingerprint.js';
import type { KeyOwner } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

const HEADER = 'Idempotency-Key';
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;

/** Lets a POST with an `Idempotency-Key` take effect once and answers its repeats with the first response. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const key = request.header(HEADER);
    if (request.method !== 'POST' || key === undefined || request.caller === undefined) return next.handle();
    if (!KEY_SHAPE.test(key))
      throw Problem.validation([
        { field: HEADER, message: `${HEADER} must be 1 to 255 visible ASCII characters` },
      ]);

    const owner: KeyOwner = { workspaceId: request.caller.workspaceId, apiKeyId: request.caller.keyId, key };
    const response = http.getResponse<Response>();
    const stored = await this.idempotency.begin(
      owner,
      fingerprintOf(request.method, request.originalUrl, request.body),
    );
    if (stored !== null) {
      response.status(stored.status).set('Idempotency-Replayed', 'true');
      return of(stored.body);
    }
    return next.handle().pipe(
      concatMap(async (body: unknown) => {
        await this.idempotency.complete(owner, { status: response.statusCode, body });
        return body;
      }),
      catchError((error: unknown) =>
        from(this.idempotency.release(owner)).pipe(concatMap(() => throwError(() => error))),
      ),
    );
  }
}
