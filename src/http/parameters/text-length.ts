import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { hasLength, hasMoreCharacters } from '../../common/strings.js';

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
      validate: (value: unknown) => typeof value === 'string' && !hasMoreCharacters(value, max),
      defaultMessage: buildMessage((each) => `${each}$property must have at most $constraint1 characters`),
    },
  });
