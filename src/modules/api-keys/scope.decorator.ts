import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Scope } from './scope.js';

export const REQUIRED_SCOPE = 'required-scope';

/** Where the contract tells an operation's scope. */
export const SCOPE_EXTENSION = 'x-required-scope';

/** The scope an operation needs, where it is not the method's own (GET: read, others: write). */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPE, scope), ApiExtension(SCOPE_EXTENSION, scope));
