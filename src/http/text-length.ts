import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';

/**
 * A text of `min` to `max` characters. The names are those of class-validator, because the OpenAPI generator reads them.
 * Its own decorators do not count variation selectors and would accept a text twice as long as the contract allows.
 */
export const Length = (min: number, max: number, options?: ValidationOptions): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isLength',
      constraints: [min, max],
      validator: {
        validate: (value: unknown) => typeof value === 'string' && hasLength(value, min, max),
        defaultMessage: buildMessage(
          (each) => `${each}$property must have $constraint1 to $constraint2 characters`,
          options,
        ),
      },
    },
    options,
  );

/** A text of at most `max` characters, as {@link Length} counts them. */
export const MaxLength = (max: number): PropertyDecorator =>
  ValidateBy({
    name: 'maxLength',
    constraints: [max],
    validator: {
      validate: (value: unknown) => typeof value === 'string' && hasLength(value, 0, max),
      defaultMessage: buildMessage((each) => `${each}$property must have at most $constraint1 characters`),
    },
  });

/**
 * A character is a code point, as in JSON Schema. No code point has more than two UTF-16 units, so a text longer than
 * twice the maximum is rejected without counting.
 */
function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > 2 * max) return false;
  const characters = [...text].length;
  return characters >= min && characters <= max;
}
