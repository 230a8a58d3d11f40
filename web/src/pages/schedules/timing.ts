export const FREQUENCIES = ['minutes', 'hourly', 'daily', 'weekly', 'monthly', 'custom'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** When a schedule is due, as edited in its form. Fields that the frequency does not need keep their values. */
export interface Timing {
  frequency: Frequency;
  /** Minutes between due times; must divide an hour. */
  every: number;
  hour: number;
  minute: number;
  /** 0 is Sunday. */
  weekday: number;
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
  weekday: 1,
  day: 1,
  expression: '0 9 * * 1-5',
};

export function expressionOf({ frequency, every, hour, minute, weekday, day, expression }: Timing): string {
  switch (frequency) {
    case 'minutes':
      return `*/${every} * * * *`;
    case 'hourly':
      return `${minute} * * * *`;
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'weekly':
      return `${minute} ${hour} * * ${weekday}`;
    case 'monthly':
      return `${minute} ${hour} ${day} * *`;
    case 'custom':
      return expression.trim();
  }
}

/** Nicknames that can be edited in the form's fields. */
const NICKNAMES: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
};

/** The timing of an expression; `custom` if the form has no fields for it. */
export function timingOf(expression: string): Timing {
  const custom: Timing = { ...FIRST_TIMING, frequency: 'custom', expression };
  const fields = NICKNAMES[expression.trim().toLowerCase()] ?? expression;
  const every = /^\*\/(\d+) \* \* \* \*$/.exec(fields)?.[1];
  if (every !== undefined)
    return (EVERY_MINUTES as readonly number[]).includes(Number(every))
      ? { ...custom, frequency: 'minutes', every: Number(every) }
      : custom;
  const parts = /^(\d{1,2}) (\d{1,2}|\*) (\d{1,2}|\*) \* ([0-6]|\*)$/.exec(fields)?.slice(1);
  if (parts === undefined) return custom;
  const [minute, hour, day, weekday] = parts.map((part) => (part === '*' ? null : Number(part)));
  const read: Timing = {
    ...custom,
    minute: minute!,
    hour: hour ?? custom.hour,
    day: day ?? custom.day,
    weekday: weekday ?? custom.weekday,
  };
  if (read.minute > 59 || read.hour > 23 || read.day < 1 || read.day > LAST_DAY) return custom;
  if (hour === null) return day === null && weekday === null ? { ...read, frequency: 'hourly' } : custom;
  if (day !== null) return weekday === null ? { ...read, frequency: 'monthly' } : custom;
  return { ...read, frequency: weekday === null ? 'daily' : 'weekly' };
}

const DAYS_AHEAD = 100;

/** The next due times in the browser's own time zone; null for `custom`, which only the service can compute. */
export function nextTimes(timing: Timing, count: number, now: Date = new Date()): Date[] | null {
  const { frequency, every, hour, minute, weekday, day } = timing;
  if (frequency === 'custom') return null;
  const hours =
    frequency === 'minutes' || frequency === 'hourly' ? Array.from({ length: 24 }, (_, one) => one) : [hour];
  const minutes =
    frequency === 'minutes' ? Array.from({ length: 60 / every }, (_, one) => one * every) : [minute];
  const times: Date[] = [];
  for (let ahead = 0; ahead < DAYS_AHEAD && times.length < count; ahead++) {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() + ahead);
    if (frequency === 'weekly' && date.getDay() !== weekday) continue;
    if (frequency === 'monthly' && date.getDate() !== day) continue;
    for (const h of hours)
      for (const m of minutes) {
        const time = new Date(date.getFullYear(), date.getMonth(), date.getDate(), h, m);
        if (time > now && times.length < count) times.push(time);
      }
  }
  return times;
}
