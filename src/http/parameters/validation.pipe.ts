import {
  type ArgumentMetadata,
  Injectable,
  type PipeTransform,
  ValidationPipe,
  type ValidationError,
} from '@nestjs/common';
import { ARRAY_MAX_SIZE, getMetadataStorage, IS_OPTIONAL, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { groupBy } from '../../common/collections.js';
import { unstorable } from './input-hygiene.js';
import { NoQueryDto } from './no-query.dto.js';
import { abbreviate, type FieldError, MAX_FIELD_ERRORS, Problem } from '../problems/problem.js';

/** Constraints on the JSON type of a value. A value of a wrong type has no other error. */
const TYPES = ['isInt', 'isNumber', 'isString', 'isBoolean', 'isArray', 'isObject', 'isDate'] as const;

/** The constraint name that class-validator uses for a field that is not in the DTO. */
const UNKNOWN_FIELD = 'whitelistValidation';

/** Validation errors before they are formatted as messages. */
class InvalidInput extends Error {
  constructor(readonly errors: ValidationError[]) {
    super('Invalid input');
  }
}

/**
 * Strict validation of every query and body: rejects unknown fields and wrong JSON types, and names every invalid
 * field.
 */
export const validationPipe = (): PipeTransform => new StrictValidationPipe();

type Metatype = ArgumentMetadata['metatype'];

@Injectable()
class StrictValidationPipe implements PipeTransform {
  private readonly rules = new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: false,
    exceptionFactory: (errors: ValidationError[]) => new InvalidInput(errors),
  });

  /** Returns a promise only when there are rules to check. */
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { type, metatype } = metadata;
    // Values of this service's own parameter decorators are not validated.
    if (type === 'custom') return value;
    if (type === 'param' && typeof value === 'string') refuseUnstorable(value, metadata.data);
    if (type === 'param' && metatype === String) return value;
    if (metatype === NoQueryDto && Object.keys(value as object).length === 0) return value;
    return type === 'body' ? this.validBody(value, metadata) : this.validated(value, metadata, []);
  }

  private async validBody(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // A missing body counts as an empty one, so that the missing fields are named.
    const body = value ?? {};
    if (typeof body !== 'object' || Array.isArray(body))
      throw Problem.validation([{ field: 'body', message: 'body must be a JSON object' }]);
    const { errors, rest } = screen(body, metadata.metatype);
    const valid = await this.validated(rest, metadata, errors);
    if (errors.length > 0) throw Problem.validation(errors);
    return valid;
  }

  /** Throws the errors of the value together with earlier errors. A field that has both keeps the earlier one. */
  private async validated(
    value: unknown,
    metadata: ArgumentMetadata,
    earlier: FieldError[],
  ): Promise<unknown> {
    try {
      return (await this.rules.transform(value, metadata)) as unknown;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const refused = new Set(earlier.map(({ field }) => field));
      const errors = fieldErrors(error.errors, metadata);
      throw Problem.validation([...earlier, ...errors.filter(({ field }) => !refused.has(field))]);
    }
  }
}

/**
 * Returns the fields of a body that validators may see, and the errors of the others. Unknown fields and arrays longer
 * than their `ArrayMaxSize` are rejected here because validators would visit every one of them. Null for an optional
 * field is rejected because `IsOptional` would accept it although it has no meaning; a field that may be null has a
 * `ValidateIf`.
 */
function screen(body: object, type: Metatype): { errors: FieldError[]; rest: Record<string, unknown> } {
  const rules = groupBy(rulesOf(type), ({ propertyName }) => propertyName);
  const errors: FieldError[] = [];
  const rest: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(body)) {
    const own = rules.get(field);
    const problem = own === undefined ? null : refusal(field, value, own);
    const inside = own === undefined || problem !== null ? [] : nullsWithin(field, value, own, type);
    if (own !== undefined && problem === null && inside.length === 0) rest[field] = value;
    else if (inside.length > 0) errors.push(...inside.slice(0, MAX_FIELD_ERRORS - errors.length));
    else if (errors.length < MAX_FIELD_ERRORS)
      errors.push({ field: abbreviate(field), message: problem ?? unknownField(field, 'field', type) });
  }
  return { errors, rest };
}

/** The known fields of a nested object, at any depth, that are null without meaning. */
function nullsWithin(
  field: string,
  value: unknown,
  rules: ReturnType<typeof rulesOf>,
  owner: Metatype,
): FieldError[] {
  const isNested = rules.some(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
  if (!isNested || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const type = fieldType(owner, field.split('.').at(-1)!);
  const nested = groupBy(rulesOf(type), ({ propertyName }) => propertyName);
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const own = nested.get(key);
    if (own === undefined) return [];
    const path = `${field}.${key}`;
    const problem = inner === null ? refusal(path, inner, own) : null;
    return problem === null ? nullsWithin(path, inner, own, type) : [{ field: path, message: problem }];
  });
}

function refusal(field: string, value: unknown, rules: ReturnType<typeof rulesOf>): string | null {
  if (value === null)
    return rules.some(
      ({ type, name }) => type === ValidationTypes.CONDITIONAL_VALIDATION && name !== IS_OPTIONAL,
    )
      ? null
      : `${field} must not be null`;
  if (!Array.isArray(value)) return null;
  const limit = rules.find(({ name }) => name === ARRAY_MAX_SIZE)?.constraints[0] as number | undefined;
  return limit === undefined || value.length <= limit
    ? null
    : `${field} must contain no more than ${limit} elements`;
}

function refuseUnstorable(value: string, field = 'path'): void {
  const problem = unstorable(value);
  if (problem !== null) throw Problem.validation([{ field, message: `${field} ${problem}` }]);
}

/** The first errors of class-validator's tree, as messages. */
function fieldErrors(tree: readonly ValidationError[], { type, metatype }: ArgumentMetadata): FieldError[] {
  const errors: FieldError[] = [];
  const visit = (error: ValidationError, parent: string, owner: Metatype): void => {
    const name = abbreviate(error.property);
    const field = parent === '' ? name : `${parent}.${name}`;
    for (const [constraint, message] of meaningful(error.constraints ?? {}))
      if (errors.length < MAX_FIELD_ERRORS)
        errors.push({
          field,
          message:
            constraint === UNKNOWN_FIELD
              ? unknownField(name, type === 'query' ? 'query parameter' : 'field', owner)
              : message,
        });
    for (const child of error.children ?? []) visit(child, field, fieldType(owner, error.property));
  };
  for (const error of tree) visit(error, '', metatype);
  return errors;
}

/** The violated constraints of a field: the one on its type alone, or each of the others. */
function meaningful(constraints: Record<string, string>): [string, string][] {
  const type = TYPES.find((name) => name in constraints);
  return type === undefined ? Object.entries(constraints) : [[type, constraints[type]!]];
}

/** The declared class of a class's field, as the compiler records it. */
function fieldType(owner: Metatype, field: string): Metatype {
  return owner && (Reflect.getMetadata('design:type', owner.prototype as object, field) as Metatype);
}

function unknownField(field: string, kind: string, type: Metatype): string {
  const allowed = [...new Set(rulesOf(type).map(({ propertyName }) => propertyName))].join(', ');
  return `Unknown ${kind} \`${abbreviate(field)}\`. ${allowed === '' ? `No ${kind} is allowed.` : `Allowed: ${allowed}.`}`;
}

function rulesOf(type: Metatype): ValidationMetadata[] {
  return type === undefined ? [] : getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
}

/**
 * Lets class-validator collect the rules of a class once instead of once per value, which takes 3 % of a request's
 * processor time (docs/benchmarks.md, `requests`). They never change, because decorators run when a class is loaded; no rule of this service has groups.
 */
function collectRulesOnce(): void {
  const storage = getMetadataStorage();
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const collected = new Map<unknown, ValidationMetadata[]>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    const rules = collected.get(target) ?? collect(target, schema, always, strictGroups, groups);
    collected.set(target, rules);
    return rules;
  };
}

collectRulesOnce();
