import { z } from 'zod';

/** A variable with a list such as `a, b ,c`; empty parts are left out. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

/** A variable with a whole number in a range, both ends included. */
export const wholeNumber = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .pipe(z.number().min(minimum, message).max(maximum, message));
};

/** A variable with one of the given words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

/** A variable that is `true` or `false`, by default `false`. */
export const flag = oneOf(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** A variable with a URL of one of the given protocols (`https:`). */
export const address = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol),
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );

/** A list whose parts are each converted by `parse`, which returns null for an invalid part. */
export const listOf = <T>(parse: (part: string) => T | null, expected: string, { isSecret = false } = {}) =>
  list.transform((parts, context): T[] =>
    parts.flatMap((part, at) => {
      const value = parse(part);
      const named = isSecret ? `the part ${at + 1}` : `the part "${part}"`;
      if (value === null)
        context.addIssue({ code: 'custom', message: `has ${named}, which is not ${expected}` });
      return value ?? [];
    }),
  );
