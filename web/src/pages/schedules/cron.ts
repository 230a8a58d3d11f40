/** The matching values of the fields of a cron expression; see docs/schedules.md. */
export interface CronFields {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  /** 0 is Sunday. */
  weekdays: readonly number[];
}

/** The fields in order, with the least and the greatest value of each. */
export const CRON_FIELDS = [
  { name: 'minutes', from: 0, to: 59 },
  { name: 'hours', from: 0, to: 23 },
  { name: 'days', from: 1, to: 31 },
  { name: 'months', from: 1, to: 12 },
  { name: 'weekdays', from: 0, to: 7 },
] as const satisfies readonly { name: keyof CronFields; from: number; to: number }[];
export type CronField = (typeof CRON_FIELDS)[number];

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** The shortcuts with their five fields. */
const SHORTCUTS: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};

/** What is wrong with an expression: an unknown shortcut, the number of fields, or a field. */
export type CronProblem =
  { kind: 'shortcut' } | { kind: 'count'; given: number } | { kind: 'field'; field: CronField; text: string };

/** Reads an expression, or says what is wrong with it. The service has the last word. */
export function readCron(expression: string): { fields: CronFields } | { problem: CronProblem } {
  const given = expression.trim();
  const known = given.startsWith('@') ? SHORTCUTS[given.toLowerCase()] : given;
  if (known === undefined) return { problem: { kind: 'shortcut' } };
  const texts = known.split(/\s+/).filter((text) => text !== '');
  if (texts.length !== CRON_FIELDS.length) return { problem: { kind: 'count', given: texts.length } };
  const fields: Partial<Record<keyof CronFields, readonly number[]>> = {};
  for (const [index, field] of CRON_FIELDS.entries()) {
    const values = valuesOf(texts[index]!, field);
    if (values === null) return { problem: { kind: 'field', field, text: texts[index]! } };
    fields[field.name] = values;
  }
  return { fields: fields as CronFields };
}

/** The values of a field in ascending order; null when it is invalid. */
function valuesOf(text: string, field: CronField): readonly number[] | null {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const range = rangeOf(part, field);
    if (range === null) return null;
    // Sunday is both 0 and 7.
    for (let value = range.from; value <= range.to; value += range.step)
      values.add(field.name === 'weekdays' ? value % 7 : value);
  }
  return [...values].toSorted((a, b) => a - b);
}

function rangeOf(part: string, field: CronField): { from: number; to: number; step: number } | null {
  const found = /^(\*|\w{1,3})(?:-(\w{1,3}))?(?:\/(\d{1,2}))?$/.exec(part);
  if (found === null) return null;
  const [, first, last, by] = found;
  const step = by === undefined ? 1 : Number(by);
  if (step === 0) return null;
  if (first === '*')
    return last === undefined
      ? { from: field.from, to: field.name === 'weekdays' ? 6 : field.to, step }
      : null;
  const from = valueOf(first!, field);
  const to = last === undefined ? (by === undefined ? from : field.to) : valueOf(last, field);
  return from === null || to === null || to < from ? null : { from, to, step };
}

function valueOf(text: string, { name, from, to }: CronField): number | null {
  const names = name === 'months' ? MONTHS : name === 'weekdays' ? WEEKDAYS : [];
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return named + from;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return value >= from && value <= to ? value : null;
}

/** Whether every value of a field matches, e.g. `*`. */
export function isAny(fields: CronFields, name: keyof CronFields): boolean {
  const { from, to } = CRON_FIELDS.find((field) => field.name === name)!;
  return fields[name].length === (name === 'weekdays' ? 7 : to - from + 1);
}

/** Leap days can be eight years apart. */
const MOST_DAYS = 8 * 366;
const DAY_MS = 86_400_000;

/** The next times by the clocks of a zone, at most `count`; fewer when no date matches. */
export function nextCronTimes(
  fields: CronFields,
  zone: string,
  count: number,
  now: Date = new Date(),
): Date[] {
  const times: Date[] = [];
  const wall = now.getTime() + offsetAt(zone, now.getTime());
  for (let ahead = 0; ahead < MOST_DAYS && times.length < count; ahead += 1) {
    const day = new Date(Math.floor(wall / DAY_MS) * DAY_MS + ahead * DAY_MS);
    if (!matchesDay(fields, day)) continue;
    for (const hour of fields.hours)
      for (const minute of fields.minutes) {
        if (times.length === count) return times;
        const time = instantOf(zone, day.getTime() + (hour * 60 + minute) * 60_000);
        if (time > now.getTime()) times.push(new Date(time));
      }
  }
  return times;
}

/** When both day fields are restricted, a day matches if either does. */
function matchesDay(fields: CronFields, day: Date): boolean {
  if (!fields.months.includes(day.getUTCMonth() + 1)) return false;
  const ofMonth = fields.days.includes(day.getUTCDate());
  const ofWeek = fields.weekdays.includes(day.getUTCDay());
  return isAny(fields, 'days') || isAny(fields, 'weekdays') ? ofMonth && ofWeek : ofMonth || ofWeek;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which a zone's clocks are ahead of UTC at an instant. */
function offsetAt(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (format === undefined) {
    const numeric = 'numeric' as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
    });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const get = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type)!;
  const shown = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'));
  return shown - Math.floor(instant / 60_000) * 60_000;
}

/** The instant at which a zone's clocks show a time, which is given as if it were UTC. */
function instantOf(zone: string, wall: number): number {
  const guess = wall - offsetAt(zone, wall);
  return wall - offsetAt(zone, guess);
}
