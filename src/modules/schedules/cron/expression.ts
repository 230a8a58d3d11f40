import { type CronExpression, CronExpressionParser } from 'cron-parser';

/** The nicknames of the dialect, as the five fields that they stand for. */
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

/** What a field is made of here. The library also knows `?`, `L`, `#` and `H`, which are no part of the dialect. */
const FIELD_SHAPE = /^(\*|[0-9]{1,2}|[a-z]{3})(-([0-9]{1,2}|[a-z]{3}))?(\/[0-9]{1,2})?$/i;

/** An expression that this dialect does not know; the message is a sentence for whoever wrote it. */
export class CronExpressionError extends Error {}

/**
 * Parses five fields or a nickname. Throws {@link CronExpressionError} naming the field that is wrong, also for an
 * expression that no date will ever match.
 *
 * The result walks a clock without zones (UTC); zones are the caller's.
 */
export function parseExpression(expression: string): CronExpression {
  const fields = fieldsOf(expression);
  fields.forEach((text, index) => checkField(text, index));
  try {
    return read(fields.join(' '));
  } catch {
    throw new CronExpressionError(`no date ever matches day of month "${fields[2]}" in month "${fields[3]}"`);
  }
}

function fieldsOf(expression: string): string[] {
  const text = expression.trim();
  if (text.startsWith('@')) {
    const known = NICKNAMES.get(text.toLowerCase());
    if (known === undefined)
      throw new CronExpressionError(
        `"${text}" is not a nickname; those known are ${[...NICKNAMES.keys()].join(', ')}`,
      );
    return known.split(' ');
  }
  const fields = text === '' ? [] : text.split(/\s+/);
  if (fields.length !== FIELDS.length)
    throw new CronExpressionError(
      `five fields are needed (minute, hour, day of month, month, day of week), but there ${
        fields.length === 1 ? 'is 1' : `are ${fields.length}`
      }`,
    );
  return fields;
}

/** Reads one field with all others open, so that a refusal can name it. */
function checkField(text: string, index: number): void {
  const { name, takes } = FIELDS[index]!;
  try {
    if (!text.split(',').every((part) => FIELD_SHAPE.test(part))) throw new Error();
    read(FIELDS.map((_, other) => (other === index ? text : '*')).join(' '));
  } catch {
    throw new CronExpressionError(
      `the ${name} field "${text}" is not valid; it takes ${takes}, each value once, in rising ranges (a-b), lists (a,b) and steps (*/n)`,
    );
  }
}

const read = (fields: string): CronExpression => CronExpressionParser.parse(fields, { tz: 'UTC' });
