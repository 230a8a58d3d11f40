import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { type FieldError, Problem } from './problem.js';

/** Strict everywhere: unknown fields are refused, JSON types are not converted, every bad field is named. */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: false,
    exceptionFactory: (errors: ValidationError[]) =>
      Problem.validation(errors.flatMap((error) => fieldErrors(error, ''))),
  });

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, field))];
}
