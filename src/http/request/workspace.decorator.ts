import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest, Caller } from './request.js';

/** The bare uuid of the workspace that both the API key and the path refer to. */
export const WorkspaceId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller.workspaceId,
);

/** Whether the API key has the scope `write`. */
export const MayWrite = createParamDecorator(
  (_: unknown, context: ExecutionContext): boolean =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller.mayWrite,
);

/** The API key of the request. */
export const RequestCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);
