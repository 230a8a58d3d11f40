import { type ArgumentMetadata, Injectable, ValidationPipe, type ValidationError } from '@nestjs/common';
import { unstorable } from './input-hygiene.js';
import { type FieldError, Problem } from './problem.js';

/** Strict everywhere: unknown fields are refused, JSON types are not converted, every bad field is named. */
export const validationPipe = (): ValidationPipe =>
  new StrictValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: false,
    exceptionFactory: (errors: ValidationError[]) =>
      Problem.validation(errors.flatMap((error) => fieldErrors(error, ''))),
  });

@Injectable()
class StrictValidationPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'param' && typeof value === 'string') refuseUnstorable(value, metadata.data);
    if (metadata.type !== 'body') return super.transform(value, metadata);
    // A body left out is an empty one: which fields it lacks is then told by name.
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body))
      throw Problem.validation([{ field: 'body', message: 'body must be a JSON object' }]);
    return this.transformWithoutNulls(body, metadata);
  }

  /** No field of a request is nullable, but validators take null for absent: it is refused here, among the others. */
  private async transformWithoutNulls(body: object, metadata: ArgumentMetadata): Promise<unknown> {
    const entries = Object.entries(body);
    const nulls = entries
      .filter(([, value]) => value === null)
      .map(([field]) => ({ field, message: `${field} must not be null` }));
    if (nulls.length === 0) return super.transform(body, metadata);
    const named = new Set(nulls.map(({ field }) => field));
    try {
      await super.transform(Object.fromEntries(entries.filter(([field]) => !named.has(field))), metadata);
    } catch (error) {
      if (!(error instanceof Problem) || error.extra.errors === undefined) throw error;
      throw Problem.validation([...nulls, ...error.extra.errors.filter(({ field }) => !named.has(field))]);
    }
    throw Problem.validation(nulls);
  }
}

function refuseUnstorable(value: string, field = 'path'): void {
  const problem = unstorable(value);
  if (problem !== null) throw Problem.validation([{ field, message: `${field} ${problem}` }]);
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, field))];
}
