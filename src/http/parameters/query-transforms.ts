import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ValidateBy } from 'class-validator';

/**
 * Converts the text of an integer query parameter to a number. Other text is left unchanged, so that validation rejects
 * it by name.
 */
export const IntegerFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value) ? Number(value) : value,
  );

/** A decimal number in a query string. Other values stay as they are, for validation to refuse. */
export const NumberFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value,
  );

/** Converts `true` and `false` to booleans. Anything else is left unchanged, so that validation rejects it by name. */
export const BooleanFromQuery = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value));

/**
 * Reads a repeated value of a list of at most 100 once. Anything but a list is left unchanged, so that validation rejects it
 * by name.
 */
export const EachOnce = (): PropertyDecorator =>
  applyDecorators(
    ArrayMaxSize(100),
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? [...new Set(value)] : value)),
  );

/** Pattern of the sign and hours of a UTC offset: Postgres accepts offsets below 16 hours. */
export const OFFSET_HOURS = String.raw`[+-](?:0\d|1[0-5])`;

const NO_INSTANT =
  '$property must be an ISO 8601 time with a zone between -15:59 and +15:59, e.g. 2026-01-31T00:00:00Z';
const INSTANT = new RegExp(
  String.raw`^(?<date>(?!0000)\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|${OFFSET_HOURS}:?[0-5]\d)$`,
  'i',
);

/** Whether a text is a timestamp of the years 1 to 9999 on a day that exists, with a zone. */
function isInstant(value: unknown): boolean {
  const date = typeof value === 'string' ? INSTANT.exec(value)?.groups?.date : undefined;
  if (date === undefined) return false;
  const time = Date.parse(`${date}T00:00:00Z`);
  // A day beyond the end of its month is read as a day of the next month, or not at all.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** An ISO 8601 timestamp with a time zone, as text. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      isInstant(value) ? (value as string).toUpperCase() : value,
    ),
    ValidateBy({ name: 'isInstant', validator: { validate: isInstant, defaultMessage: () => NO_INSTANT } }),
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
