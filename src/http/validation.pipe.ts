import { type ArgumentMetadata, Injectable, ValidationPipe, type ValidationError } from '@nestjs/common';
import { getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
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

/** How class-validator names the refusal of a field that has no place. */
const UNKNOWN_FIELD = 'whitelistValidation';

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

  /**
   * `IsOptional` takes null for absent, which no field that uses it means: null is refused here, among the other bad
   * fields. A field that may be null says so with a `ValidateIf` of its own.
   */
  private async transformWithoutNulls(body: object, metadata: ArgumentMetadata): Promise<unknown> {
    const entries = Object.entries(body);
    const nulls = entries
      .filter(([field, value]) => value === null && !decidesItself(metadata.metatype, field))
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

function decidesItself(type: ArgumentMetadata['metatype'], field: string): boolean {
  return getMetadataStorage()
    .getTargetValidationMetadatas(type as ArgumentMetadata['metatype'] & object, '', true, false)
    .some(
      ({ propertyName, type: kind, name }) =>
        propertyName === field && kind === ValidationTypes.CONDITIONAL_VALIDATION && name !== IS_OPTIONAL,
    );
}

function refuseUnstorable(value: string, field = 'path'): void {
  const problem = unstorable(value);
  if (problem !== null) throw Problem.validation([{ field, message: `${field} ${problem}` }]);
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([name, message]) => ({
    field,
    message: name === UNKNOWN_FIELD ? `${error.property} is not known here` : message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, field))];
}
