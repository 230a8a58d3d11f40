import {
  applyDecorators,
  type CallHandler,
  Delete as NestDelete,
  type ExecutionContext,
  Get as NestGet,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
  Patch as NestPatch,
  Post as NestPost,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { defer, mergeAll, type Observable } from 'rxjs';

/** Injection token of the interceptors of every operation that is not a GET, in the order in which they run. */
export const CHANGE_INTERCEPTORS = Symbol('change interceptors');

/** Injection token of the interceptors of every GET that reads data in bulk, in the order in which they run. */
export const BULK_READ_INTERCEPTORS = Symbol('bulk read interceptors');

/** Metadata key of {@link Audited}. */
export const AUDITED = 'audited';

/** Runs interceptors one after the other. */
class InterceptorList implements NestInterceptor {
  /** Undefined in commands, which create the modules of controllers but serve no requests. */
  constructor(private readonly interceptors: readonly NestInterceptor[] | undefined) {}

  intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    return this.run(0, context, next);
  }

  private async run(
    index: number,
    context: ExecutionContext,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const interceptor = this.interceptors![index];
    if (interceptor === undefined) return next.handle();
    const rest = () => defer(() => this.run(index + 1, context, next)).pipe(mergeAll());
    return interceptor.intercept(context, { handle: rest });
  }
}

/** Runs {@link CHANGE_INTERCEPTORS}. */
@Injectable()
class ChangeInterceptors extends InterceptorList {
  constructor(@Optional() @Inject(CHANGE_INTERCEPTORS) interceptors: readonly NestInterceptor[] | undefined) {
    super(interceptors);
  }
}

/** Runs {@link BULK_READ_INTERCEPTORS}. */
@Injectable()
class BulkReadInterceptors extends InterceptorList {
  constructor(
    @Optional() @Inject(BULK_READ_INTERCEPTORS) interceptors: readonly NestInterceptor[] | undefined,
  ) {
    super(interceptors);
  }
}

/** Metadata key of {@link ReadOnly}. */
export const READ_ONLY = 'read-only';
/** OpenAPI extension of {@link ReadOnly}; absent from the final document. */
export const READ_ONLY_EXTENSION = 'x-read-only';

/** Marks a POST that changes nothing, such as a preview: its response is not stored, and a repeat is carried out. */
export const ReadOnly = (): MethodDecorator =>
  applyDecorators(SetMetadata(READ_ONLY, true), ApiExtension(READ_ONLY_EXTENSION, true));

/** Marks an operation as one for the audit log although it changes no data, or needs no key. */
export const Audited = (): MethodDecorator => SetMetadata(AUDITED, true);

/*
 * Operations use these decorators instead of Nest's. With a global interceptor, every GET would pay for it: Nest decides
 * at startup whether a route has interceptors, and having one costs 12 % of reading a post.
 */

/** Marks an operation of method POST and runs {@link CHANGE_INTERCEPTORS} for it. */
export const Post = (path?: string | string[]): MethodDecorator =>
  applyDecorators(NestPost(path), UseInterceptors(ChangeInterceptors));

/** Marks an operation of method PATCH and runs {@link CHANGE_INTERCEPTORS} for it. */
export const Patch = (path?: string | string[]): MethodDecorator =>
  applyDecorators(NestPatch(path), UseInterceptors(ChangeInterceptors));

/** Marks an operation of method DELETE and runs {@link CHANGE_INTERCEPTORS} for it. */
export const Delete = (path?: string | string[]): MethodDecorator =>
  applyDecorators(NestDelete(path), UseInterceptors(ChangeInterceptors));

/** Marks an operation of method GET that reads data in bulk, or that signs in, for the audit log. */
export const BulkGet = (path?: string | string[]): MethodDecorator =>
  applyDecorators(NestGet(path), Audited(), UseInterceptors(BulkReadInterceptors));
