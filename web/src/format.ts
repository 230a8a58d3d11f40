import { readDateChoice } from './date-choice.ts';

/**
 * English, as all texts, with the conventions of the reader's country: the order of dates, 12 or 24 hours, the marks in
 * numbers. Settings can change those of dates, and their language. All dates and numbers are formatted here.
 */
const reader = globalThis.navigator?.language ?? 'en-US';
const LOCALE = `en-${new Intl.Locale(reader).maximize().region ?? 'US'}`;

const chosen = readDateChoice();
/** The locale of dates: numbers stay those of the texts around them. */
const DATES = chosen.language === 'own' ? reader : (chosen.order ?? LOCALE);

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const usual = new Intl.DateTimeFormat(reader, { hour: 'numeric' }).resolvedOptions().hourCycle;
  const hourCycle = chosen.hours ?? usual;
  return new Intl.DateTimeFormat(DATES, {
    ...(chosen.timeZone !== null && { timeZone: chosen.timeZone }),
    ...options,
    ...(hourCycle && { hourCycle }),
  });
}

/** Makes a value when it is first used. The formats take several milliseconds each, which the first paint must not await. */
function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const number = onDemand(() => new Intl.NumberFormat(LOCALE));
const compact = onDemand(
  () => new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 }),
);
const signed = onDemand(
  () => new Intl.NumberFormat(LOCALE, { signDisplay: 'exceptZero', maximumFractionDigits: 2 }),
);
const percent = onDemand(() => new Intl.NumberFormat(LOCALE, { style: 'percent' }));
const relative = onDemand(() => new Intl.RelativeTimeFormat(DATES, { numeric: 'auto' }));
const dateTime = onDemand(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }));
const clock = onDemand(() => dateFormat({ timeStyle: 'short' }));
const clockSeconds = onDemand(() => dateFormat({ timeStyle: 'medium' }));
const exact = onDemand(() => dateFormat({ dateStyle: 'full', timeStyle: 'long' }));

export const formatNumber = (value: number): string => number().format(value);
export const formatCompact = (value: number): string => compact().format(value);
export const formatSigned = (value: number): string => signed().format(value);
export const formatPercent = (value: number): string => percent().format(value);

/** A time in the reader's zone, e.g. "Nov 21, 2026, 9:30 AM". */
export const formatTime = (time: Date): string => dateTime().format(time);

const second = onDemand(() => dateFormat({ dateStyle: 'medium', timeStyle: 'medium' }));

/** A time to the second in the reader's zone, e.g. "Nov 21, 2026, 9:30:05 AM". */
export const formatSecond = (time: Date): string => second().format(time);

const weekdayTime = onDemand(() =>
  dateFormat({
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }),
);

const dayTime = onDemand(() =>
  dateFormat({
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }),
);

const day = onDemand(() => dateFormat({ dateStyle: 'medium' }));

/** A day in the reader's zone, e.g. "Nov 21, 2026". */
export const formatDay = (time: Date): string => day().format(time);

/** A day in another time zone, e.g. "Nov 21, 2026"; `withTime` also its time. */
export const formatDayIn = (timeZone: string, time: Date, withTime = false): string =>
  dateFormat({ dateStyle: 'medium', ...(withTime && { timeStyle: 'short' }), timeZone }).format(time);

/** The name of the reader's time zone, e.g. Europe/Berlin. */
export const ownTimeZone = dateTime().resolvedOptions().timeZone;

/** A time near now in the reader's zone with its weekday, e.g. "Sat, Nov 21, 9:30 AM". */
export const formatExactTime = (time: Date): string => weekdayTime().format(time);

/** The time of day to the second in the reader's zone, e.g. "09:30:05". */
export const formatClock = (time: Date): string => clockSeconds().format(time);

/** The time of day in the reader's zone, e.g. "9:30 AM". */
export const formatClockTime = (time: Date): string => clock().format(time);

const timeOfDay = onDemand(() => dateFormat({ timeStyle: 'short', timeZone: 'UTC' }));

/** A time of day that is the same on every day, e.g. "9:30 AM". */
export const formatTimeOfDay = (hour: number, minute: number): string =>
  timeOfDay().format(new Date(Date.UTC(2000, 0, 1, hour, minute)));

export type Bucket = 'hour' | 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;

/** The kind of time that passes between two times; a change of the clock makes no difference. */
export function bucketOf(start: string, end: string | undefined): Bucket {
  const days = end === undefined ? 1 : (Date.parse(end) - Date.parse(start)) / DAY_MS;
  return days > 20 ? 'month' : days > 5 ? 'week' : days > 0.5 ? 'day' : 'hour';
}

const weekday = onDemand(() => dateFormat({ weekday: 'short', day: 'numeric', month: 'short' }));
const shortDay = onDemand(() => dateFormat({ day: 'numeric', month: 'short' }));
const month = onDemand(() => dateFormat({ month: 'short', year: 'numeric' }));

/** The hour, day, week or month that begins at a time, e.g. "Sun, Nov 15"; a week by its first day. */
export function formatBucket(start: Date, bucket: Bucket): string {
  if (bucket === 'month') return month().format(start);
  if (bucket === 'hour') return weekdayTime().format(start);
  return (bucket === 'day' ? weekday() : shortDay()).format(start);
}

/** The same for the axis of a chart, as short as possible. */
export function formatTick(start: Date, bucket: Bucket): string {
  if (bucket === 'month') return month().format(start);
  return bucket === 'hour' && !isMidnight(start) ? clock().format(start) : shortDay().format(start);
}

/** A time to the second with the name of the reader's zone, and in UTC. */
export const formatExact = (time: Date): string => `${exact().format(time)}\n${time.toISOString()}`;

/** Units of relative times, each used up to its limit. */
const STEPS = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3_600, 12],
] as const;

/**
 * "3 hours ago" within half a day, "tomorrow, 9:30 AM" for the days around today, "3 days ago" within a week, otherwise
 * the date, with its year unless it is this year's.
 */
export function formatRelative(time: Date, now: number = Date.now()): string {
  const seconds = (time.getTime() - now) / 1_000;
  for (const [unit, length, end] of STEPS) {
    const value = Math.round(seconds / length);
    if (Math.abs(value) < end) return relative().format(value, unit);
  }
  const days = dayNumber(time) - dayNumber(new Date(now));
  if (Math.abs(days) <= 1) return `${relative().format(days, 'day')}, ${clock().format(time)}`;
  if (Math.abs(days) < 7) return relative().format(days, 'day');
  return calendarOf(time).year === calendarOf(new Date(now)).year
    ? dayTime().format(time)
    : dateTime().format(time);
}

/** Days since 1970 in the reader's calendar. */
function dayNumber(time: Date): number {
  const { year, month, day } = calendarOf(time);
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

interface CalendarTime {
  year: number;
  /** From 1. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const calendar = onDemand(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: ownTimeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    }),
);

/** A time in the reader's calendar. */
function calendarOf(time: Date): CalendarTime {
  if (chosen.timeZone === null)
    return {
      year: time.getFullYear(),
      month: time.getMonth() + 1,
      day: time.getDate(),
      hour: time.getHours(),
      minute: time.getMinutes(),
      second: time.getSeconds(),
    };
  const parts = calendar().formatToParts(time);
  return Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)])) as unknown as CalendarTime;
}

/** Whether a day begins at a time in the reader's zone. */
export function isMidnight(time: Date): boolean {
  const { hour, minute, second } = calendarOf(time);
  return hour === 0 && minute === 0 && second === 0;
}

/** Midnight at the beginning of a day in the reader's zone; days may be beyond the ends of the month. */
function startOf(year: number, month: number, day: number): Date {
  if (chosen.timeZone === null) return new Date(year, month - 1, day);
  const wanted = Date.UTC(year, month - 1, day);
  const offsetAt = (at: number): number => {
    const found = calendarOf(new Date(at));
    return Date.UTC(found.year, found.month - 1, found.day, found.hour, found.minute, found.second) - at;
  };
  // The offset may change between the first estimate and the wanted time.
  return new Date(wanted - offsetAt(wanted - offsetAt(wanted)));
}

/** Midnight in the reader's zone, `later` days after that of a time. */
export function midnight(time: Date, later: number): Date {
  const { year, month, day } = calendarOf(time);
  return startOf(year, month, day + later);
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes in the largest binary unit that leaves at least 1. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${number().format(Math.round((bytes / 1_024 ** power) * 10) / 10)} ${UNITS[power]}`;
}

/** "120 ms", "42 s", "3 min", "3 min 5 s", "2 h 10 min". */
export function formatDuration(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 60) return `${number().format(Math.round(seconds * 10) / 10)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(`${minutes} min`, Math.floor(seconds % 60), 's');
  return withRest(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

const withRest = (whole: string, rest: number, unit: string): string =>
  rest === 0 ? whole : `${whole} ${rest} ${unit}`;

/** The day of a time in the reader's zone, in the format of a date field: 2026-11-21. */
export function dayOf(time: Date): string {
  const { year, month, day } = calendarOf(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}`;
}

/** Midnight in the reader's zone, `later` days after a day as {@link dayOf} writes it. */
export function startOfDay(day: string, later: number): string {
  const [year, month, date] = day.split('-').map(Number);
  return startOf(year!, month!, date! + later).toISOString();
}
