import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsISO8601, Matches } from 'class-validator';

/** Turns the text of an integer query parameter into a number; other text stays, so that validation refuses it by name. */
export const IntegerFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** `true` and `false` become booleans; anything else is left for the validator to refuse by name. */
export const BooleanFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));

/** Pattern of the sign and hours of an offset from UTC: Postgres reads offsets below 16 hours. */
export const OFFSET_HOURS = String.raw`[+-](?:0\d|1[0-5])`;

const NO_INSTANT =
  '$property must be an ISO 8601 time with a zone between -15:59 and +15:59, e.g. 2026-01-31T00:00:00Z';
const INSTANT = new RegExp(
  String.raw`^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|${OFFSET_HOURS}:?[0-5]\d)$`,
  'i',
);

/** An instant in ISO 8601 with a zone, as text. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Matches(INSTANT, { message: NO_INSTANT }),
    IsISO8601({ strict: true, strictSeparator: true }, { message: NO_INSTANT }),
  );

/**
 * An instant in ISO 8601 with a zone. A `+` that arrived as a space, because it was not URL-encoded, is read as `+`.
 * What is no instant is left for the validator.
 */
export const InstantFromQuery = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.replace(/ (?=\d\d:?\d\d$)/, '+') : value,
    ),
    IsInstant(),
  );
