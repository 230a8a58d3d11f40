import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { AuthenticatedRequest } from './request.js';

/** The bare uuid of the workspace to which both the API key and the path belong. */
export const WorkspaceId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().caller.workspaceId,
);
