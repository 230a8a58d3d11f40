import { ValidateBy, type ValidationArguments } from 'class-validator';
import { refuseKeyword } from './matching/keyword.js';

/** Every keyword can be found in a text; names the first that cannot. */
export const AreKeywords = (): PropertyDecorator =>
  ValidateBy({
    name: 'areKeywords',
    validator: {
      validate: (value: unknown) => firstRefusal(value) === null,
      defaultMessage: (context?: ValidationArguments) => firstRefusal(context?.value) ?? '',
    },
  });

function firstRefusal(value: unknown): string | null {
  if (!Array.isArray(value)) return 'keywords must be an array';
  for (const [index, keyword] of (value as unknown[]).entries()) {
    const refusal = typeof keyword === 'string' ? refuseKeyword(keyword) : 'must be a string';
    if (refusal !== null) return `keywords.${index} ${refusal}`;
  }
  return null;
}
