import { formatTimeOfDay } from '../../format.ts';
import { schedulesTexts } from '../../texts/schedules.ts';
import { CRON_FIELDS, type CronFields, type CronProblem, isAny, readCron } from './cron.ts';

const words = schedulesTexts.cron;
const MOST_LISTED = 6;

/** "1", "1 and 2", "1, 2 and 3". */
const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${words.and} ${names.at(-1)!}`;

/** The step when values are all multiples of one in a field of `size` values; null otherwise. */
function stepOf(values: readonly number[], size: number): number | null {
  const [first, second] = values;
  if (first !== 0 || second === undefined || size % second !== 0 || values.length !== size / second)
    return null;
  return values.every((value, index) => value === index * second) ? second : null;
}

/** First and last of values without gaps, when there are at least three; null otherwise. */
function spanOf(values: readonly number[]): [number, number] | null {
  const [first, last] = [values[0]!, values.at(-1)!];
  return values.length > 2 && last - first === values.length - 1 ? [first, last] : null;
}

/** An expression in words, e.g. "Monday to Friday at 09:00"; null when it is too irregular to read. */
export function describeCron(fields: CronFields): string | null {
  const time = timeWords(fields);
  const day = dayWords(fields);
  if (time === null || day === null) return null;
  const sentence = [day, time, isYearly(fields) ? '' : monthWords(fields)]
    .filter((part) => part !== '')
    .join(' ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function timeWords(fields: CronFields): string | null {
  const { minutes, hours } = fields;
  const step = isAny(fields, 'minutes') ? 1 : stepOf(minutes, 60);
  const everyHours = stepOf(hours, 24);
  const span = spanOf(hours);
  if (minutes.length === 1 && hours.length <= MOST_LISTED)
    return words.at(listed(hours.map((hour) => formatTimeOfDay(hour, minutes[0]!))));
  const within = isAny(fields, 'hours')
    ? ''
    : everyHours !== null
      ? words.everyHours(everyHours)
      : span !== null
        ? words.hoursBetween(formatTimeOfDay(span[0], 0), formatTimeOfDay(span[1], 59))
        : hours.length <= MOST_LISTED
          ? words.inHours(listed(hours.map((hour) => formatTimeOfDay(hour, 0))))
          : null;
  if (within === null) return null;
  if (step !== null) return [words.everyMinutes(step), within].filter((part) => part !== '').join(' ');
  if (minutes.length > MOST_LISTED) return null;
  if (within === '' && minutes.length === 1) return words.everyHour(minutes[0]!);
  const which = words.minutes(minutes.length, listed(minutes.map(String)));
  return within === '' ? `${which} ${words.ofEveryHour}` : `${which} ${within}`;
}

function dayWords(fields: CronFields): string | null {
  const { days, weekdays } = fields;
  const [anyDay, anyWeekday] = [isAny(fields, 'days'), isAny(fields, 'weekdays')];
  if (anyDay && anyWeekday)
    return isAny(fields, 'hours') || isAny(fields, 'minutes') || fields.hours.length > MOST_LISTED
      ? ''
      : words.everyDay;
  if (isYearly(fields)) return words.everyYear(words.months[fields.months[0]! - 1]!, days[0]!);
  if (!anyDay && days.length > MOST_LISTED && spanOf(days) === null) return null;
  const span = spanOf(days);
  const ofMonth = words.onDays(span === null ? listed(days.map(String)) : words.range(span.map(String)));
  const ofWeek = weekdayWords(weekdays);
  if (anyWeekday) return ofMonth;
  return anyDay ? ofWeek : words.either(ofMonth, ofWeek);
}

/** Whether one day of one month matches. */
const isYearly = (fields: CronFields): boolean =>
  fields.months.length === 1 && fields.days.length === 1 && isAny(fields, 'weekdays');

/** Weekdays in words, e.g. "Monday to Friday". */
export function weekdayWords(weekdays: readonly number[]): string {
  const names = schedulesTexts.timing.weekdays;
  const span = spanOf(weekdays);
  if (span !== null) return words.range(span.map((day) => names[day]!));
  return words.every(listed(weekdays.map((day) => names[day]!)));
}

function monthWords(fields: CronFields): string {
  if (isAny(fields, 'months')) return '';
  const span = spanOf(fields.months);
  const names = (span ?? fields.months).map((month) => words.months[month - 1]!);
  return words.inMonths(span === null ? listed(names) : words.range(names));
}

/** What is wrong with an expression, and what it takes instead. */
export function problemWords(problem: CronProblem): string {
  if (problem.kind === 'shortcut') return words.problems.shortcut;
  if (problem.kind === 'count') return words.problems.count(problem.given);
  return words.problems.field(
    words.fields[CRON_FIELDS.indexOf(problem.field)]!,
    problem.text,
    `${problem.field.from}–${problem.field.to}`,
  );
}

/** The expression of a schedule in words; "At custom times" when it is too irregular. */
export function describeSchedule(expression: string): string {
  const read = readCron(expression);
  return ('fields' in read ? describeCron(read.fields) : null) ?? schedulesTexts.irregular;
}
