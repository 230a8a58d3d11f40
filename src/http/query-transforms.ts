import { Transform } from 'class-transformer';

/**
 * Query parameters arrive as text. Text that is a plain integer becomes a number; anything else is left
 * for the validator to refuse by name.
 */
export const IntegerFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value,
  );
