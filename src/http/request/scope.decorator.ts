import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Scope } from './scope.js';

/** Metadata key of {@link RequireScope}. */
export const REQUIRED_SCOPE = 'required-scope';

/** OpenAPI extension with an operation's scope. */
export const SCOPE_EXTENSION = 'x-required-scope';

/** Sets the scope that an operation requires, where it differs from its method's default (GET: read, others: write). */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(REQUIRED_SCOPE, scope), ApiExtension(SCOPE_EXTENSION, scope));
