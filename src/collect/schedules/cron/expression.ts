import { CronExpressionParser, type CronFieldCollection } from 'cron-parser';

/** The supported nicknames with their five-field equivalents. */
const NICKNAMES = new Map([
  ['@hourly', '0 * * * *'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@weekly', '0 0 * * 0'],
  ['@monthly', '0 0 1 * *'],
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
]);

const FIELDS = [
  { name: 'minute', takes: '0-59' },
  { name: 'hour', takes: '0-23' },
  { name: 'day of month', takes: '1-31' },
  { name: 'month', takes: '1-12 or JAN-DEC' },
  { name: 'day of week', takes: '0-7 or SUN-SAT, 0 and 7 being Sunday' },
] as const;

/** The syntax of a field. The library also accepts `?`, `L`, `#` and `H`, which this dialect does not support. */
const FIELD_SHAPE = /^(\*|[0-9]{1,2}|[a-z]{3})(-([0-9]{1,2}|[a-z]{3}))?(\/[0-9]{1,2})?$/i;

/** An invalid expression; the message is a sentence for the user. */
export class CronExpressionError extends Error {}

/** The matching values of each field. Only immutable parts of the library's result are kept. */
export interface CronFields {
  minutes: readonly number[];
  hours: readonly number[];
  daysOfMonth: readonly number[];
  months: readonly number[];
  /** 0 is Sunday. */
  daysOfWeek: readonly number[];
  /** Whether a day field is anything but `*`. When both are, a day matches if either field matches. */
  restrictsDayOfMonth: boolean;
  restrictsDayOfWeek: boolean;
}

/**
 * Cache of parsed expressions: parsing takes far longer than finding the next match, and most schedules share few
 * expressions.
 */
const parsed = new Map<string, CronFields>();
const MAX_PARSED = 1_000;

/**
 * Parses five fields or a nickname. Throws {@link CronExpressionError} naming the wrong field, or when no date ever
 * matches.
 */
export function parseExpression(expression: string): CronFields {
  let fields = parsed.get(expression);
  if (fields === undefined) {
    fields = parse(expression);
    if (parsed.size === MAX_PARSED) parsed.clear();
    parsed.set(expression, fields);
  }
  return fields;
}

function parse(expression: string): CronFields {
  const texts = fieldsOf(expression);
  if (!texts.every(hasShape)) throw refusal(texts);
  let collection;
  try {
    collection = read(texts);
  } catch {
    throw refusal(texts);
  }
  const { minute, hour, dayOfMonth, month, dayOfWeek } = collection;
  return {
    minutes: minute.values,
    hours: hour.values,
    // `hasShape` has already rejected characters such as L.
    daysOfMonth: dayOfMonth.values as number[],
    months: month.values,
    daysOfWeek: dayOfWeek.values as number[],
    restrictsDayOfMonth: !dayOfMonth.isWildcard,
    restrictsDayOfWeek: !dayOfWeek.isWildcard,
  };
}

function fieldsOf(expression: string): string[] {
  const text = expression.trim();
  if (text.startsWith('@')) {
    const known = NICKNAMES.get(text.toLowerCase());
    if (known === undefined)
      throw new CronExpressionError(
        `"${text}" is not a known shortcut; use one of ${[...NICKNAMES.keys()].join(', ')}`,
      );
    return known.split(' ');
  }
  const fields = text === '' ? [] : text.split(/\s+/);
  if (fields.length !== FIELDS.length)
    throw new CronExpressionError(
      `five fields are required (minute, hour, day of month, month, day of week), but ${fields.length} ${
        fields.length === 1 ? 'was' : 'were'
      } given`,
    );
  return fields;
}

const hasShape = (text: string): boolean => text.split(',').every((part) => FIELD_SHAPE.test(part));

/** Sunday at the end of a range, which the library reads as the day before Monday wherever it stands. */
const LAST_SUNDAY = /(?<=(?:^|,)(?!sun|0)[0-9a-z]+-)sun/gi;

const read = (texts: readonly string[]): CronFieldCollection =>
  CronExpressionParser.parse(texts.with(-1, texts.at(-1)!.replace(LAST_SUNDAY, '7')).join(' '), { tz: 'UTC' })
    .fields;

/** Finds the wrong field by parsing each field with `*` in all others. */
function refusal(texts: readonly string[]): CronExpressionError {
  const wrong = texts.findIndex((text, index) => {
    try {
      read(texts.map((_, other) => (other === index ? text : '*')));
      return !hasShape(text);
    } catch {
      return true;
    }
  });
  const field = FIELDS[wrong];
  return new CronExpressionError(
    field === undefined
      ? `no date ever matches day of month "${texts[2]}" in month "${texts[3]}"`
      : `the ${field.name} field "${texts[wrong]}" is not valid; it takes ${field.takes} as values, ascending ranges (a-b), lists without duplicates (a,b) and steps (*/n)`,
  );
}
