import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { catchError, concatMap, from, type Observable, throwError } from 'rxjs';
import { isPublicId, parseId } from '../../common/ids.js';
import { AUDITED, READ_ONLY } from '../../http/changes/change.decorators.js';
import { operationId } from '../../http/request/operation-id.js';
import { Problem } from '../../http/problems/problem.js';
import {
  addressOf,
  type AuthenticatedRequest,
  type Caller,
  changesNothing,
} from '../../http/request/request.js';
import { ClientGoneError } from '../../http/request/request-scope.js';
import { REQUIRED_SCOPE } from '../../http/request/scope.decorator.js';
import type { AuditOutcome } from './audit.repository.js';
import { detailsOf } from './audit-details.js';
import { AuditService, type Change } from './audit.service.js';

const MAX_FIELDS = 50;
/** Format of this service's ids and field names; anything else in a request is rejected later. */
const NAME = /^[\w.:-]{1,100}$/;

/** Path parameters whose values may contain the id of an account, and which an entry, being sealed, could not lose again. */
const IDS_OF_CONTENT: ReadonlySet<string> = new Set(['post_id', 'comment_id']);

/** Status of a request whose client disconnected before the end of the response. */
const CLIENT_GONE = 499;

/**
 * Records every operation that changes something: all methods but GET, except operations that only require the scope
 * `read` or are marked as read-only; and those marked as audited, which make or use a credential or read in bulk. Rejected requests change nothing
 * and leave no entry; failed authentications are recorded by the failure audit. Repeats of a request with an idempotency key never get
 * here: the stored response answers them first.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly audit: AuditService,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<AuthenticatedRequest>();
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.get<boolean | undefined>(READ_ONLY, context.getHandler()) || isOfOnePost(request))
      return next.handle();
    const isChange =
      this.reflector.getAllAndOverride<string | undefined>(REQUIRED_SCOPE, targets) !== 'read' &&
      (request.caller !== undefined || request.isAdmin === true);
    if (!isChange && !this.reflector.getAllAndOverride<boolean | undefined>(AUDITED, targets))
      return next.handle();
    const change = changeOf(request, operationId(context.getClass().name, context.getHandler().name));
    const id = await this.audit.begin(change);
    return next.handle().pipe(
      concatMap(async (body: unknown) => {
        const { statusCode: status } = http.getResponse<Response>();
        if (request.isRejected) await this.audit.discard(id);
        else {
          const created = createdBy(body);
          const answered = {
            before: null,
            after: created.resource.id === undefined ? null : (body as object),
          };
          const details = detailsOf(request.noted ?? answered, change.fields);
          await this.audit.finish(id, { status, ...created, ...signedInBy(request), details });
        }
        return body;
      }),
      catchError((error: unknown) =>
        from(this.failed(id, error)).pipe(concatMap(() => throwError(() => error))),
      ),
    );
  }

  private async failed(id: string, error: unknown): Promise<void> {
    const status =
      error instanceof Problem ? error.status : error instanceof ClientGoneError ? CLIENT_GONE : 500;
    if (error instanceof Problem && status < 500) await this.audit.discard(id);
    else await this.audit.finish(id, { status, targetWorkspaceId: null, resource: {} });
  }
}

/** Whether a request reads the comments of one post, which is a page for a reader rather than data in bulk. */
const isOfOnePost = (request: AuthenticatedRequest): boolean =>
  changesNothing(request) && request.query.post_id !== undefined;

function changeOf(request: AuthenticatedRequest, action: string): Change {
  const { workspace_id: named, ...resource } = request.params as Record<string, string>;
  const given: unknown = changesNothing(request) ? request.query : request.body;
  const caller = request.caller as Caller | undefined;
  return {
    actor: request.isAdmin ? 'admin' : caller === undefined ? 'anonymous' : 'api_key',
    actorName: request.isAdmin ? (request.operator ?? null) : (caller?.keyPrefix ?? null),
    ip: addressOf(request),
    action,
    // A path parameter that is not a UUID is rejected later.
    targetWorkspaceId: request.isAdmin ? parseId('workspace', named ?? '') : (caller?.workspaceId ?? null),
    resource: Object.fromEntries(
      Object.entries(resource).filter(([name, value]) => NAME.test(value) && !IDS_OF_CONTENT.has(name)),
    ),
    fields:
      typeof given === 'object' && given !== null
        ? Object.keys(given)
            .filter((name) => NAME.test(name))
            .slice(0, MAX_FIELDS)
        : [],
    requestId: request.id,
  };
}

/** Who a request without a caller signed in. */
function signedInBy({ signedIn, operator = null }: AuthenticatedRequest): Partial<AuditOutcome> {
  if (signedIn === undefined) return {};
  return signedIn === 'admin'
    ? { signedIn: { actor: 'admin', actorName: operator } }
    : {
        targetWorkspaceId: signedIn.workspaceId,
        signedIn: { actor: 'api_key', actorName: signedIn.keyPrefix },
      };
}

/** The ids in the response of an operation that creates something. */
function createdBy(body: unknown): { targetWorkspaceId: string | null; resource: Record<string, string> } {
  const { id, workspace_id } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  return {
    targetWorkspaceId: typeof workspace_id === 'string' ? parseId('workspace', workspace_id) : null,
    // Other ids belong to content, of which an entry names none.
    resource: typeof id === 'string' && isPublicId(id) ? { id } : {},
  };
}
