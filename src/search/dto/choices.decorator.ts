import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ARRAY_MAX_SIZE, IsOptional, ValidateBy } from 'class-validator';
import { hasMoreCharacters, normalized } from '../../common/strings.js';
import { Repeatable } from '../../http/parameters/repeated-parameters.js';
import { type ChoiceValue, choiceOf, mapChoice } from '../choice.js';

/** Maximum number of values of one filter. */
const MAX_CHOICES = 100;
const MAX_LENGTH = 255;

interface ChoiceOptions {
  /** The only values; any text when absent. */
  values?: readonly string[];
  /** The form of a value, and how a message describes it. */
  form?: { pattern: RegExp; name: string };
  /** The stored form of a value. */
  normal?: (value: string) => string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isChoiceValue = (value: unknown): value is ChoiceValue =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));

/**
 * An optional filter by the value of a field that may be repeated: rows match that have any of the values, and none of
 * those written as `!value`.
 */
export function Choices({ values, form, normal }: ChoiceOptions = {}): PropertyDecorator {
  const schema = {
    type: 'string',
    ...(values && { enum: [...values, ...values.map((value) => `!${value}`)] }),
    ...(form && { pattern: form.pattern.source.replace('^', '^!?') }),
    ...(!values && !form && { maxLength: MAX_LENGTH }),
  };
  const list = { type: 'array', items: schema, minItems: 1, maxItems: MAX_CHOICES };
  const isKnown = (one: string): boolean =>
    !hasMoreCharacters(one, MAX_LENGTH) && (values?.includes(one) ?? form?.pattern.test(one) ?? true);
  const expected = values
    ? `one of the following values: ${values.join(', ')}`
    : (form?.name ?? `a text of at most ${MAX_LENGTH} characters`);
  return applyDecorators(
    Repeatable(),
    ApiPropertyOptional({ anyOf: [schema, list] }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      isChoiceValue(value) ? mapChoice(value, (one) => normalized(normal?.(one) ?? one)) : value,
    ),
    ValidateBy({
      // The name by which longer lists in bodies are refused before they are validated.
      name: ARRAY_MAX_SIZE,
      constraints: [MAX_CHOICES],
      validator: {
        validate: (value) => !Array.isArray(value) || value.length <= MAX_CHOICES,
        defaultMessage: () => '$property must contain no more than $constraint1 elements',
      },
    }),
    ValidateBy({
      name: 'isChoice',
      validator: {
        validate: (value) => {
          if (!isChoiceValue(value)) return false;
          const { any, none } = choiceOf(value);
          return [...any, ...none].every(isKnown);
        },
        defaultMessage: () =>
          `$property must be ${expected}; repeat it for several, and write !value to exclude one`,
      },
    }),
  );
}
