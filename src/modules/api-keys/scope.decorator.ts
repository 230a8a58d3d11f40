import { SetMetadata } from '@nestjs/common';
import type { Scope } from './scope.js';

export const REQUIRED_SCOPE = 'required-scope';

/** The scope an operation needs, where it is not the method's own (GET: read, others: write). */
export const RequireScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  SetMetadata(REQUIRED_SCOPE, scope);
