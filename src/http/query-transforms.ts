import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsISO8601, Matches } from 'class-validator';

/**
 * Converts the text of an integer query parameter to a number. Other text is left unchanged, so that validation rejects
 * it by name.
 */
export const IntegerFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** Converts `true` and `false` to booleans. Anything else is left unchanged, so that validation rejects it by name. */
export const BooleanFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));

/** Pattern of the sign and hours of a UTC offset: Postgres accepts offsets below 16 hours. */
export const OFFSET_HOURS = String.raw`[+-](?:0\d|1[0-5])`;

const NO_INSTANT =
  '$property must be an ISO 8601 time with a zone between -15:59 and +15:59, e.g. 2026-01-31T00:00:00Z';
const INSTANT = new RegExp(
  String.raw`^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|${OFFSET_HOURS}:?[0-5]\d)$`,
  'i',
);

/** An ISO 8601 timestamp with a time zone, as text. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Matches(INSTANT, { message: NO_INSTANT }),
    IsISO8601({ strict: true, strictSeparator: true }, { message: NO_INSTANT }),
  );

/**
 * Parses an ISO 8601 timestamp with a time zone. A space is read as `+`, because an unencoded `+` in a URL arrives as a
 * space. A value that is not a timestamp is left unchanged, so that validation rejects it.
 */
export const InstantFromQuery = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? value.replace(/ (?=\d\d:?\d\d$)/, '+') : value,
    ),
    IsInstant(),
  );
