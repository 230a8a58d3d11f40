import { isAny, readCron } from './cron.ts';

export const FREQUENCIES = ['minutes', 'hourly', 'daily', 'weekly', 'monthly', 'custom'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** When a schedule is due, as edited in its form. Fields that the frequency does not need keep their values. */
export interface Timing {
  frequency: Frequency;
  /** Minutes between due times; must divide an hour. */
  every: number;
  hour: number;
  minute: number;
  /** In ascending order, at least one; 0 is Sunday. */
  weekdays: readonly number[];
  /** Day of the month; at most 28, so that every month has it. */
  day: number;
  /** The cron expression of the frequency `custom`. */
  expression: string;
}

export const EVERY_MINUTES = [5, 10, 15, 20, 30] as const;
export const LAST_DAY = 28;

export const FIRST_TIMING: Timing = {
  frequency: 'hourly',
  every: 15,
  hour: 9,
  minute: 0,
  weekdays: [1],
  day: 1,
  expression: '0 9 * * 1-5',
};

/** The cron expression of a timing. */
export function expressionOf(timing: Timing): string {
  const { frequency, every, hour, minute, weekdays, day, expression } = timing;
  switch (frequency) {
    case 'minutes':
      return `*/${every} * * * *`;
    case 'hourly':
      return `${minute} * * * *`;
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'weekly':
      return `${minute} ${hour} * * ${weekdayField(weekdays)}`;
    case 'monthly':
      return `${minute} ${hour} ${day} * *`;
    case 'custom':
      return expression.trim();
  }
}

/** Weekdays as a field: a range when they follow each other, else a list. */
function weekdayField(weekdays: readonly number[]): string {
  const [first, last] = [weekdays[0]!, weekdays.at(-1)!];
  return weekdays.length > 2 && last - first === weekdays.length - 1
    ? `${first}-${last}`
    : weekdays.join(',');
}

/** The timing of an expression; `custom` if the form has no fields for it. */
export function timingOf(expression: string): Timing {
  const custom: Timing = { ...FIRST_TIMING, frequency: 'custom', expression };
  const read = readCron(expression);
  if ('problem' in read) return custom;
  const { fields } = read;
  const { minutes, hours, days, weekdays } = fields;
  const any = (name: keyof typeof fields): boolean => isAny(fields, name);
  if (!any('months')) return custom;
  const everyDay = any('days') && any('weekdays');
  if (everyDay && any('hours')) {
    const every = EVERY_MINUTES.find(
      (step) => minutes.length === 60 / step && minutes.every((minute, index) => minute === index * step),
    );
    if (every !== undefined) return { ...custom, frequency: 'minutes', every };
    return minutes.length === 1 ? { ...custom, frequency: 'hourly', minute: minutes[0]! } : custom;
  }
  if (minutes.length > 1 || hours.length > 1) return custom;
  const timed: Timing = { ...custom, minute: minutes[0]!, hour: hours[0]! };
  if (everyDay) return { ...timed, frequency: 'daily' };
  if (any('days')) return { ...timed, frequency: 'weekly', weekdays };
  return any('weekdays') && days.length === 1 && days[0]! <= LAST_DAY
    ? { ...timed, frequency: 'monthly', day: days[0]! }
    : custom;
}
