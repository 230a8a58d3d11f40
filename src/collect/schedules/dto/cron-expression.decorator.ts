import { ValidateBy } from 'class-validator';
import { CronExpressionError, parseExpression } from '../cron/expression.js';

const MAX_LENGTH = 255;

/** A `cron_expression` field; its refusal names the wrong part and its fault. */
export const IsCronExpression = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCronExpression',
    validator: {
      validate: (value: unknown) => problemOf(value) === null,
      defaultMessage: (context) => `cron_expression is not valid: ${problemOf(context?.value)}`,
    },
  });

function problemOf(value: unknown): string | null {
  if (typeof value !== 'string') return 'it must be a string';
  if (value.length > MAX_LENGTH) return `it must be at most ${MAX_LENGTH} characters long`;
  try {
    parseExpression(value);
    return null;
  } catch (error) {
    if (error instanceof CronExpressionError) return error.message;
    throw error;
  }
}
