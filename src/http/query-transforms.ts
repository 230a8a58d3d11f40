import { Transform } from 'class-transformer';

/** Turns the text of an integer query parameter into a number; other text stays, so that validation refuses it by name. */
export const IntegerFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value,
  );
