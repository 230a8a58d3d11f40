import { ValidateBy, type ValidationArguments } from 'class-validator';
import { refuseKeyword } from './keyword.js';

/** Maximum number of keywords of an alert. */
export const MAX_KEYWORDS = 100;

/**
 * Validates up to {@link MAX_KEYWORDS} keywords: each must be findable in a text. Longer lists are left to
 * `ArrayMaxSize`.
 */
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
  if (value.length > MAX_KEYWORDS) return null;
  for (const [index, keyword] of (value as unknown[]).entries()) {
    const refusal = typeof keyword === 'string' ? refuseKeyword(keyword) : 'must be a string';
    if (refusal !== null) return `keywords.${index} ${refusal}`;
  }
  return null;
}
