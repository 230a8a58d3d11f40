import { ApiExtension } from '@nestjs/swagger';
import type { ProblemCode } from './problem.js';

/** OpenAPI extension that carries problem codes from a controller to `openapi/problems.ts`; absent from the final document. */
export const PROBLEMS_EXTENSION = 'x-problems';

/**
 * Documents problem codes specific to this operation. Codes that follow from an operation's path, method and parameters
 * are added to every operation by `openapi/problems.ts`.
 */
export const ApiProblems = (...codes: ProblemCode[]): MethodDecorator & ClassDecorator =>
  ApiExtension(PROBLEMS_EXTENSION, codes);
