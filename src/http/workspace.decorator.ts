import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from './request.js';

/** The bare uuid of the workspace that the guard resolved from key and path. */
export const WorkspaceId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller.workspaceId,
);
