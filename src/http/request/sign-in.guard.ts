import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from './request.js';
import { requireSameOrigin } from './session-cookie.js';

/** Lets a sign-in operation read its body without a key, but not when the request comes from a page of another host. */
@Injectable()
export class SignInGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (request.header('origin') !== undefined) requireSameOrigin(request);
    request.isSignIn = true;
    return true;
  }
}
