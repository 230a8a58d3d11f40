import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Response } from 'express';
import { DependencyUnavailableError } from '../../common/dependency-unavailable.js';
import { ADMIN_EXTENSION, PUBLIC } from '../../http/request/public.decorator.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import { SignInGuard } from '../../http/request/sign-in.guard.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { AdminAccess } from './admin-access.js';

/** All operators share one rate limit. */
const LIMIT_NAME = 'admin';

/** Accepts requests of operators; throws the errors of {@link AdminAccess.authenticate}. */
@Injectable()
export class AdminGuard implements CanActivate {
  constructor(
    private readonly access: AdminAccess,
    private readonly limits: RequestLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    await this.access.authenticate(request);
    response.set('Cache-Control', 'private, no-store');
    await this.limits.enforce(LIMIT_NAME, response, 'The admin token').catch(unlessUncounted);
    request.isAdmin = true;
    return true;
  }
}

/** Lets operators in while Redis cannot count their requests, because they may be investigating that very outage. */
function unlessUncounted(error: unknown): void {
  if (!(error instanceof DependencyUnavailableError)) throw error;
}

/** Hides the operators' sign-in when the service has no admin token. */
@Injectable()
export class AdminSignInGuard extends SignInGuard {
  constructor(private readonly access: AdminAccess) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean {
    this.access.configuredToken(context.switchToHttp().getRequest<AuthenticatedRequest>());
    return super.canActivate(context);
  }
}

/** Marks operations that need the admin token instead of an API key. */
export const AdminOperations = (): ClassDecorator & MethodDecorator =>
  applyDecorators(SetMetadata(PUBLIC, true), UseGuards(AdminGuard), ApiExtension(ADMIN_EXTENSION, true));
