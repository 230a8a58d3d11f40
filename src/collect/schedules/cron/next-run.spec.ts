import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';
import fc from 'fast-check';
import { nextRun } from './next-run.js';
import { isTimeZone } from '../../../common/time-zone.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const runs = (expression: string, zone: string, after: string, count: number): string[] => {
  const found: string[] = [];
  for (let last = new Date(after); found.length < count; found.push(last.toISOString().slice(0, 16)))
    last = nextRun(expression, zone, last);
  return found;
};

describe('the next run', () => {
  it('is strictly after now', () => {
    expect(runs('0 * * * *', 'UTC', '2026-11-21T10:00:00Z', 1)).toEqual(['2026-11-21T11:00']);
    expect(runs('0 * * * *', 'UTC', '2026-11-21T09:59:59.999Z', 1)).toEqual(['2026-11-21T10:00']);
    expect(runs('* * * * *', 'UTC', '2026-11-21T10:00:30.500Z', 1)).toEqual(['2026-11-21T10:01']);
  });

  it('follows the clocks of the time zone', () => {
    expect(runs('0 6 * * *', 'Europe/Berlin', '2026-06-01T00:00:00Z', 1)).toEqual(['2026-06-01T04:00']);
    expect(runs('0 6 * * *', 'Asia/Kathmandu', '2026-06-01T00:00:00Z', 1)).toEqual(['2026-06-01T00:15']);
  });

  it('matches either day field when both are restricted', () => {
    expect(runs('0 0 13 * fri', 'UTC', '2026-11-01T00:00:00Z', 3)).toEqual([
      '2026-11-06T00:00',
      '2026-11-13T00:00',
      '2026-11-20T00:00',
    ]);
    expect(runs('0 0 1 * mon', 'UTC', '2026-11-28T00:00:00Z', 2)).toEqual([
      '2026-11-30T00:00',
      '2026-12-01T00:00',
    ]);
  });

  it('finds the next leap day across a year such as 2100', () => {
    expect(runs('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1)).toEqual(['2104-02-29T00:00']);
  });

  // In Berlin 02:00-03:00 is skipped on 2027-03-28 (at 01:00 UTC) and doubled on 2026-10-25 (from 00:00 UTC).
  it('runs a job of the skipped hour once, when that hour is over', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:30',
    ]);
    expect(runs('*/20 2 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-29T00:00',
    ]);
    expect(runs('15 2,3 * * *', 'Europe/Berlin', '2027-03-27T12:00:00Z', 2)).toEqual([
      '2027-03-28T01:00',
      '2027-03-28T01:15',
    ]);
  });

  it('runs a job of the doubled hour once', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ]);
    expect(runs('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z', 1)).toEqual(['2026-10-26T01:30']);
  });

  it('keeps hourly runs evenly spaced through both clock changes', () => {
    expect(runs('30 * * * *', 'Europe/Berlin', '2027-03-28T00:00:00Z', 3)).toEqual([
      '2027-03-28T00:30',
      '2027-03-28T01:30',
      '2027-03-28T02:30',
    ]);
    expect(runs('@hourly', 'Europe/Berlin', '2026-10-24T23:00:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
    expect(runs('*/30 * * * *', 'Europe/Berlin', '2026-10-25T00:10:00Z', 4)).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:00',
      '2026-10-25T01:30',
      '2026-10-25T02:00',
    ]);
  });

  it('accepts only IANA time zone names', () => {
    expect(['UTC', 'Europe/Berlin', 'europe/berlin', 'Etc/GMT+5'].filter(isTimeZone)).toHaveLength(4);
    expect(['+01:00', '', 'Mars/Base', 'Europe/Berlin\0', ' UTC'].filter(isTimeZone)).toEqual([]);
  });
});

/**
 * An independent, slow implementation of the same rules. It walks minute by minute and reads the zone's clocks from
 * Intl. An expression that names hours matches when the clocks pass the time for the first time, jumps included; an
 * expression for every hour matches whenever the clocks show the time.
 */
function referenceRun(expression: string, zone: string, after: number, until: number): number | null {
  const [minutes, hours, days, months, weekdays] = expression
    .split(' ')
    .map((text, index) => expand(text, ...BOUNDS[index]!)) as [Set<number>, ...Set<number>[]];
  const bothDays = expression.split(' ')[2] !== '*' && expression.split(' ')[4] !== '*';
  const matches = (wall: number): boolean => {
    const date = new Date(wall);
    const day = days!.has(date.getUTCDate());
    const weekday = weekdays!.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays!.has(7));
    return (
      minutes.has(date.getUTCMinutes()) &&
      hours!.has(date.getUTCHours()) &&
      months!.has(date.getUTCMonth() + 1) &&
      (bothDays ? day || weekday : day && weekday)
    );
  };
  const everyHour = hours!.size === 24;
  const clock = wallClock(zone);
  const start = Math.floor((after - 26 * HOUR) / MINUTE) * MINUTE;
  let highest = clock(start);
  for (let instant = start + MINUTE; instant <= until; instant += MINUTE) {
    const wall = clock(instant);
    let due = everyHour && matches(wall);
    for (; highest < wall; highest += MINUTE) due ||= !everyHour && matches(highest + MINUTE);
    if (due && instant > after) return instant;
  }
  return null;
}

const BOUNDS: [number, number][] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
];
const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

function expand(text: string, lowest: number, highest: number): Set<number> {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range, step = '1'] = part.split('/') as [string, string?];
    const [from, to] = range
      .split('-')
      .map((name) => (NAMES.includes(name) ? NAMES.indexOf(name) : Number(name)));
    const [first, last] =
      range === '*' ? [lowest, highest] : [from!, to ?? (part.includes('/') ? highest : from!)];
    for (let value = first; value <= last; value += Number(step)) values.add(value);
  }
  return values;
}

const BLOCK = 15 * MINUTE;

/**
 * Reads the zone's clocks. Formatting is slow, so a quarter of an hour with the same offset at both ends is formatted
 * once.
 */
function wallClock(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const offset = (instant: number) => Date.parse(`${format.format(instant).replace(' ', 'T')}:00Z`) - instant;
  const offsets = new Map<number, number>();
  const offsetOfBlock = (block: number) => {
    if (!offsets.has(block)) offsets.set(block, offset(block * BLOCK));
    return offsets.get(block)!;
  };
  return (instant) => {
    const block = Math.floor(instant / BLOCK);
    const known = offsetOfBlock(block);
    return instant + (known === offsetOfBlock(block + 1) ? known : offset(instant));
  };
}

/** Zones with half-hour and two-hour changes, changes at midnight and one minute after, and a day that was skipped. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Pacific/Chatham',
];

/** Instants, to the hour, at which a zone's clocks changed or will change. */
function changes(zone: string): number[] {
  const clock = wallClock(zone);
  const offset = (instant: number) => clock(instant) - instant;
  const week = 7 * DAY;
  const found: number[] = [];
  for (let start = Date.UTC(2006, 0); start < Date.UTC(2030, 0); start += week)
    if (offset(start) !== offset(start + week))
      for (let hour = start; hour < start + week; hour += HOUR)
        if (offset(hour) !== offset(hour + HOUR)) found.push(hour + HOUR);
  return found;
}

const field = (lowest: number, highest: number, open: number) => {
  const value = fc.integer({ min: lowest, max: highest });
  const range = fc.tuple(value, value).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  return fc.oneof(
    { weight: open, arbitrary: fc.constant('*') },
    { weight: 2, arbitrary: value.map(String) },
    { weight: 1, arbitrary: range },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: highest }).map((step) => `*/${step}`) },
    {
      weight: 1,
      arbitrary: fc.tuple(range, fc.integer({ min: 1, max: 9 })).map(([r, step]) => `${r}/${step}`),
    },
    {
      weight: 1,
      arbitrary: fc.uniqueArray(value, { minLength: 2, maxLength: 4 }).map((values) => values.join(',')),
    },
  );
};
const weekday = fc.oneof(
  { weight: 6, arbitrary: fc.constant('*') },
  { weight: 1, arbitrary: fc.constantFrom('mon-fri', 'sat', '7', '0,3', 'sun-tue') },
);

describe('the next run, compared with independent implementations', () => {
  const edgesOf = new Map(ZONES.map((zone) => [zone, changes(zone)]));
  const instants = fc.constantFrom(...ZONES).chain((zone) => {
    const edges = edgesOf.get(zone)!;
    const any = fc.integer({ min: Date.UTC(2006, 0, 3), max: Date.UTC(2029, 0) });
    const near = edges.length === 0 ? any : fc.constantFrom(...edges);
    return fc.record({
      zone: fc.constant(zone),
      after: fc.oneof(
        { weight: 1, arbitrary: any },
        {
          weight: 4,
          arbitrary: fc
            .tuple(near, fc.integer({ min: -180, max: 180 }), fc.constantFrom(0, 0, -1, 30_500))
            .map(([edge, minutes, more]) => edge + minutes * MINUTE + more),
        },
      ),
    });
  });

  it('agrees with a minute-by-minute walk over the zone’s clocks', () => {
    const expressions = fc
      .tuple(field(0, 59, 2), field(0, 23, 3), fc.oneof(fc.constant('*'), field(1, 28, 8)), weekday)
      .map(([minute, hour, day, dayOfWeek]) => `${minute} ${hour} ${day} * ${dayOfWeek}`);
    fc.assert(
      fc.property(expressions, instants, (expression, { zone, after }) => {
        const until = after + 3 * DAY;
        const expected = referenceRun(expression, zone, after, until);
        const actual = nextRun(expression, zone, new Date(after)).getTime();
        if (expected === null) expect(actual).toBeGreaterThan(until);
        else expect(new Date(actual).toISOString()).toBe(new Date(expected).toISOString());
      }),
      { numRuns: 800, seed: 20261121 },
    );
  });

  it('agrees with two libraries in UTC', () => {
    const expressions = fc
      .tuple(field(0, 59, 1), field(0, 23, 1), field(1, 28, 3), field(1, 12, 2), weekday)
      .map((fields) => fields.join(' '));
    fc.assert(
      fc.property(
        expressions,
        fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
        (expression, after) => {
          const currentDate = new Date(after);
          const actual = nextRun(expression, 'UTC', currentDate);
          expect(actual).toEqual(
            CronExpressionParser.parse(expression, { currentDate, tz: 'UTC' }).next().toDate(),
          );
          expect(actual).toEqual(new Cron(expression, { timezone: 'UTC' }).nextRun(currentDate));
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });
});
